export type Place = { lines: string[]; cursorLine: number; cursorCol: number };

/** The text with what was typed replaced. A folder is left open to go on in it; anything else ends the word. */
export function applied({ lines, cursorLine, cursorCol }: Place, value: string, prefix: string): Place {
  const line = lines[cursorLine] ?? "";
  const before = line.slice(0, cursorCol - prefix.length);
  const isFolder = /\/"?$/.test(value) && value.length > 1;
  // Inside of quotes the one at the end stays behind the cursor.
  const quoted = value.endsWith('"');
  const rest = line.slice(cursorCol);
  const after = quoted && rest.startsWith('"') ? rest.slice(1) : rest;
  const space = isFolder || after.startsWith(" ") ? "" : " ";
  const text = `${before}${value}${space}`;
  const stepsBack = isFolder && quoted ? 1 : 0;
  return { lines: lines.with(cursorLine, `${text}${after}`), cursorLine, cursorCol: text.length - stepsBack };
}
