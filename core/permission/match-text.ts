/** A pattern against text as a whole, where a star at the end stands for the rest. */
export function startsLike(pattern: string, text: string): boolean {
  if (pattern.endsWith(" *")) return text === pattern.slice(0, -2) || text.startsWith(pattern.slice(0, -1));
  return pattern.endsWith("*") ? !pattern.endsWith("/**") && text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
