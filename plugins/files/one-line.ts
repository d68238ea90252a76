/** Text on one line, without what steers terminals, hides or reorders text, and without halves of characters. */
export function oneLine(text: string): string {
  return text.replace(/(?:\s|(?![\u200c\u200d])\p{C})+/gu, " ").trim();
}
