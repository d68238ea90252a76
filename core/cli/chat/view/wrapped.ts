import { truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** Text in lines of at most `width` columns, the first behind `first`, all others behind `rest`, which are as wide. */
export function wrapped(text: string, width: number, first = "", rest = first): string[] {
  const room = Math.max(1, width - first.length);
  const lines = text.split("\n").flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, room)));
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}

const RESET = "\u001b[0m";

/** One line of at most `width` columns, its end cut off with a mark. */
export function fitted(line: string, width: number): string {
  const cut = truncateToWidth(line, Math.max(1, width), "…");
  // The mark is set off from styles, which a plain line has none of.
  return line.includes("\u001b") ? cut : cut.replaceAll(RESET, "");
}

/** The first lines of a text, each cut to the width, and how many are left. @param most Lines. */
export function firstLines(text: string, most: number, width: number): { lines: string[]; left: number } {
  const all = text.trimEnd().split("\n");
  return { lines: all.slice(0, most).map((line) => fitted(line, width)), left: Math.max(0, all.length - most) };
}
