/** The last lines of a text. A line end at its very end ends the last line and begins none. */
export function lastLines(text: string, count: number): string {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let line = 0; line < count; line++) {
    if (at === 0) return text;
    at = text.lastIndexOf("\n", at - 1);
    if (at === -1) return text;
  }
  return text.slice(at + 1);
}
