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
  const rest = lines.slice(offset - 1);
  const shown = whole ? rest : rest.slice(0, fitting(rest));
  const last = offset + shown.length - 1;
  const all = [
    ...(lines.length === 0 ? [`nothing to list in ${path}`] : []),
    ...(last < lines.length ? [`lines ${offset}-${last} of ${lines.length} of the outline; go on with offset ${last + 1}`] : []),
    ...notes,
  ];
  if (all.length > 0) shown.push(...(shown.length === 0 ? [] : [""]), `[${all.join("; ")}]`);
  return shown.join("\n");
}

/** How many lines are shown at once, one at least. */
function fitting(lines: readonly string[]): number {
  let chars = 0;
  const end = lines.findIndex(({ length }, at) => {
    chars += length + 1;
    return at > 0 && (at === MOST_LINES || chars > MOST_CHARS);
  });
  return end === -1 ? lines.length : end;
}
