import type { ToolResult } from "mortise/sdk";

const MOST_LINES = 1_500;
const MOST_CHARS = 40_000;

export type PageOptions = {
  path: string /** The first line to show, counted from 1. */;
  offset: number /** Everything from there on. */;
  whole: boolean;
};

/** A window of an outline, with a last line that says what is to be known and how to go on. */
export function page(
  { lines, notes }: { lines: readonly string[]; notes: readonly string[] },
  { path, offset, whole }: PageOptions,
): ToolResult | string {
  if (offset > 1 && offset > lines.length)
    return { text: `The outline of ${path} has ${lines.length} lines, so line ${offset} is past its end.`, isError: true };
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines.slice(offset - 1)) {
    chars += line.length + 1;
    if (!whole && shown.length > 0 && (shown.length === MOST_LINES || chars > MOST_CHARS)) break;
    shown.push(line);
  }
  const last = offset + shown.length - 1;
  const all = [
    ...(lines.length === 0 ? [`nothing to list in ${path}`] : []),
    ...(last < lines.length ? [`lines ${offset}-${last} of ${lines.length} of the outline; go on with offset ${last + 1}`] : []),
    ...notes,
  ];
  return [...shown, ...(all.length === 0 ? [] : [...(shown.length === 0 ? [] : [""]), `[${all.join("; ")}]`])].join("\n");
}
