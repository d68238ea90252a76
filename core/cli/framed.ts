import { widthOf } from "./table.ts";

export type Framed = { lines: string[] /** Whether lines in the middle were left out. */; cut: boolean };

/** Lines shown of a text before its middle is left out. */
const SHOWN_LINES = 40;
const TAIL_LINES = 12;

/** Text behind a bar on every line, also where a line is too long for the terminal, so that it cannot pass for a line of ours. */
export function framed(
  text: string,
  { whole, bar, columns = process.stderr.columns || 80 }: { whole: boolean; bar: string; columns?: number },
): Framed {
  const room = Math.max(20, columns - widthOf(bar) - 1);
  const lines = text.split("\n").flatMap((line) => wrapped(line, room));
  const left = lines.length - SHOWN_LINES;
  if (whole || left <= 0) return { lines: lines.map((line) => bar + line), cut: false };
  const shown = [...lines.slice(0, SHOWN_LINES - TAIL_LINES), `⟨${left} lines in between are not shown⟩`, ...lines.slice(-TAIL_LINES)];
  return { lines: shown.map((line) => bar + line), cut: true };
}

function wrapped(line: string, room: number): string[] {
  const parts: string[] = [];
  let part = "";
  let width = 0;
  for (const character of line) {
    const wide = widthOf(character);
    if (width + wide > room) {
      parts.push(part);
      part = "";
      width = 0;
    }
    part += character;
    width += wide;
  }
  return [...parts, part];
}
