import { cutLine } from "../files/cut-line.ts";
import { pictured } from "../files/pictured.ts";

const MAX_CHARS = 1024 * 1024;
const SHOWN_CHARS = 160;

/** Where a text that is not there nearly is: the place that agrees with most of its lines, and the first line that does not. Undefined where no line of it is there. */
export function closestLines(text: string, wanted: string): string | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const lines = text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.trim());
  const asked = wanted.split("\n").map((line) => line.trim());
  const start = bestStart(lines, asked);
  if (start === undefined) return undefined;
  const differing = asked.findIndex((line, index) => lines[start + index] !== line);
  if (differing === -1) return `The lines from ${start + 1} on differ from it in blanks alone. Copy them with their blanks.`;
  const there = lines[start + differing];
  const outside = start + differing < 0 ? "the file begins after that line" : "the file ends before that line";
  const has = there === undefined ? outside : `line ${start + differing + 1} is ${shown(there)}`;
  return `Closest to it are the lines from ${Math.max(start, 0) + 1} on: ${has}, and old_string has ${shown(asked[differing]!)} there. Read these lines, and copy the text.`;
}

/** The line that `wanted` would begin at so that the most of its lines are there; blank lines and those that are there often do not count. */
function bestStart(lines: readonly string[], asked: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const line of asked) if (line.length > 2) places.set(line, []);
  for (const [index, line] of lines.entries()) places.get(line)?.push(index);
  const votes = new Map<number, number>();
  for (const [index, line] of asked.entries()) {
    const at = places.get(line) ?? [];
    if (at.length <= COMMON) for (const place of at) votes.set(place - index, (votes.get(place - index) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [start, count] of votes) if (best === undefined || count > votes.get(best)!) best = start;
  return best;
}

const COMMON = 20;

function shown(line: string): string {
  return JSON.stringify(cutLine(pictured(line), SHOWN_CHARS));
}
