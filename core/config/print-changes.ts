import type { TrustChange } from "./trust.ts";

/** A diff for a person: a header for each file, then the lines that went and came, with the line they begin at. */
export function printChanges(changes: readonly TrustChange[]): string {
  return changes.map(({ path, kind, before, after }) => [`${kind}: ${path}`, ...lines(kind, before, after)].join("\n")).join("\n");
}

function lines(kind: TrustChange["kind"], before: string | undefined, after: string | undefined): string[] {
  if ((kind !== "added" && before === undefined) || (kind !== "removed" && after === undefined)) return ["  (too long to show)"];
  const old = split(before);
  const now = split(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const gone = old.slice(start, old.length - end).map((line) => `- ${visible(line)}`);
  const came = now.slice(start, now.length - end).map((line) => `+ ${visible(line)}`);
  return [`  from line ${start + 1}`, ...gone, ...came];
}

function split(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** A file must not draw on the terminal it is shown on. */
function visible(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === "\t" ? char : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`));
}
