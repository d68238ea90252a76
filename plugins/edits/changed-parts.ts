import { editScript } from "./edit-script.ts";
import type { Place } from "./find-text.ts";

/** The lines of a place that change, each run of them a place of its own: the lines between them are left alone, with their line ends. */
export function changedParts(text: string, { from, to, replacement }: Place): Place[] {
  const before = linesOf(text.slice(from, to));
  const { changes } = editScript(before, linesOf(replacement));
  const parts: Place[] = [];
  let at = from;
  let written = 0;
  let isChange = false;
  for (const { kind, line } of changes) {
    if (kind !== " " && !isChange) parts.push({ from: at, to: at, replacement: "" });
    isChange = kind !== " ";
    if (kind !== "+") at += line.length;
    if (kind !== "-") written += line.length;
    const part = parts.at(-1);
    if (!isChange || part === undefined) continue;
    part.to = at;
    if (kind === "+") part.replacement += line;
  }
  // What was too much to be compared is replaced as a whole.
  if (at < to || written < replacement.length) parts.push({ from: at, to, replacement: replacement.slice(written) });
  return parts;
}

/** With their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
