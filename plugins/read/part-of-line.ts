import type { Window } from "mortise/sdk";
import { BEFORE_CHARS, cutEnd, partStart } from "../files/cut-line.ts";
import { PICTURED, pictured } from "../files/pictured.ts";

/** Of one line: three bytes each at most, as much as is shown of one result. */
const MAX_CHARS = 16_000;
/** So much more than is shown tells that there is more; one alone may be half a character, which does not come. */
export const MORE_CHARS = 2;

/** What to ask of the host to show a line from a column on. */
export function windowOfLine({ offset, column }: { offset: number; column: number }) {
  const start = Math.max(column - BEFORE_CHARS, 1);
  return { offset, limit: 1, column: start, maxLineChars: column - start + MAX_CHARS + MORE_CHARS };
}

/** A line from a column on, with a last line that says how to go on; undefined where it ends before. */
export function partOfLine({ lines, invalid }: Window, { offset, column }: { offset: number; column: number }): string | undefined {
  const [line = ""] = lines;
  const before = column - windowOfLine({ offset, column }).column;
  if (line.length <= before) return undefined;
  const begin = partStart(line, before);
  const rest = line.slice(begin);
  const end = cutEnd(rest, MAX_CHARS);
  const first = column - before + begin;
  const part = rest.slice(0, end);
  const visible = pictured(part);
  const notes = [
    `line ${offset} from column ${first}${end < rest.length ? `; go on with column ${first + end}` : " to its end"}`,
    ...(invalid ? ["bytes that are no UTF-8 are shown as \ufffd"] : []),
    ...(visible === part ? [] : [PICTURED]),
  ];
  return `${offset}: ${first > 1 ? "..." : ""}${visible}${end < rest.length ? "..." : ""}\n\n[${notes.join("; ")}]`;
}
