/** Cuts at a character border, and says so. */
export function cutLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const unit = line.charCodeAt(maxChars - 1);
  return `${line.slice(0, unit >= 0xd800 && unit <= 0xdbff ? maxChars - 1 : maxChars)}...`;
}
