import { cutLine } from "../files/cut-line.ts";
import { pictured } from "../files/pictured.ts";
import { type Change, editScript } from "./edit-script.ts";

const CONTEXT = 3;
const MAX_LINES = 80;
const MAX_LINE_CHARS = 240;
/** Lines between the first and the last difference that are compared. */
const COMPARED_LINES = 5_000;
/** Characters that are compared at once where texts are alike. */
const BLOCK = 4_096;
const NO_END = "\\ No newline at end of file";

/** What changed between two texts with LF line ends, as hunks of a unified diff: the first of them, where there are many. Empty where nothing did. */
export function diff(before: string, after: string): string {
  if (before === after) return "";
  const start = commonStart(before, after);
  const ends = commonEnd(before, after, start);
  const [old, isOldCut] = firstLines(before.slice(start, ends.before));
  const [fresh, isFreshCut] = firstLines(after.slice(start, ends.after));
  const isCut = isOldCut || isFreshCut;
  const { changes, isWhole } = editScript(old, fresh);
  const above = lastLines(before.slice(0, start));
  const below = isCut || !isWhole ? [] : firstLines(before.slice(ends.before, endOfLines(before, ends.before)))[0];
  const all = [...above.lines.map(same), ...(isCut || !isWhole ? settled(changes) : changes), ...below.map(same)];
  const shown = hunks(all, above.first);
  const isTooLong = shown.length > MAX_LINES;
  const rest = isTooLong || isCut || !isWhole ? ["[more changes are not shown]"] : [];
  return [...(isTooLong ? shown.slice(0, MAX_LINES) : shown), ...rest].join("\n");
}

/** Where the first line begins that differs. */
function commonStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at + BLOCK <= most && before.slice(at, at + BLOCK) === after.slice(at, at + BLOCK)) at += BLOCK;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  return at === 0 ? 0 : before.lastIndexOf("\n", at - 1) + 1;
}

/** Where the lines begin that are the same down to the end. */
function commonEnd(before: string, after: string, start: number): { before: number; after: number } {
  const most = Math.min(before.length, after.length) - start;
  let same = 0;
  const block = (text: string) => text.slice(text.length - same - BLOCK, text.length - same);
  while (same + BLOCK <= most && block(before) === block(after)) same += BLOCK;
  while (same < most && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++;
  const isLineStart = (text: string, at: number) => at === start || text[at - 1] === "\n";
  let at = before.length - same;
  while (at < before.length && !(isLineStart(before, at) && isLineStart(after, after.length - (before.length - at)))) {
    const next = before.indexOf("\n", at);
    at = next === -1 ? before.length : next + 1;
  }
  return { before: at, after: after.length - (before.length - at) };
}

/** Lines with their line ends, as many as are compared, and whether there are more. */
function firstLines(text: string): [lines: string[], isCut: boolean] {
  const lines: string[] = [];
  let at = 0;
  while (at < text.length && lines.length < COMPARED_LINES) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(at, next));
    at = next;
  }
  return [lines, at < text.length];
}

/** The lines of context above, and the number of the first one. */
function lastLines(text: string): { lines: string[]; first: number } {
  let at = text.length;
  for (let count = 0; count < CONTEXT && at > 0; count++) at = text.lastIndexOf("\n", at - 2) + 1;
  let first = 1;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", end + 1)) first++;
  return { lines: firstLines(text.slice(at))[0], first };
}

function endOfLines(text: string, from: number): number {
  let at = from;
  for (let count = 0; count < CONTEXT && at < text.length; count++) {
    const end = text.indexOf("\n", at);
    at = end === -1 ? text.length : end + 1;
  }
  return at;
}

/** Without what stands after the last line that both texts have: it would be told otherwise, had the rest been compared. */
function settled(changes: readonly Change[]): readonly Change[] {
  const last = changes.findLastIndex(({ kind }) => kind === " ");
  return last === -1 ? changes : changes.slice(0, last + 1);
}

function same(line: string): Change {
  return { kind: " ", line };
}

/** @param first The number of the first line, in both texts. */
function hunks(changes: readonly Change[], first: number): string[] {
  const near = nearChanges(changes);
  const lines: string[] = [];
  let [old, fresh] = [first, first];
  for (let at = 0; at < changes.length; ) {
    if (!near[at]) {
      old++;
      fresh++;
      at++;
      continue;
    }
    const end = near.indexOf(false, at);
    const hunk = changes.slice(at, end === -1 ? changes.length : end);
    const olds = hunk.filter(({ kind }) => kind !== "+").length;
    const news = hunk.filter(({ kind }) => kind !== "-").length;
    lines.push(`@@ -${range(old, olds)} +${range(fresh, news)} @@`, ...hunk.flatMap(printed));
    old += olds;
    fresh += news;
    at += hunk.length;
  }
  return lines;
}

/** Which lines are changed, or within the context of one that is. */
function nearChanges(changes: readonly Change[]): boolean[] {
  const near = changes.map(() => false);
  for (const [index, { kind }] of changes.entries()) {
    if (kind !== " ") near.fill(true, Math.max(index - CONTEXT, 0), index + CONTEXT + 1);
  }
  return near;
}

/** A part without lines is named by the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start}${count === 1 ? "" : `,${count}`}`;
}

function printed({ kind, line }: Change): string[] {
  const text = kind + cutLine(pictured(line.replace(/\n$/, "")), MAX_LINE_CHARS);
  return line.endsWith("\n") ? [text] : [text, NO_END];
}
