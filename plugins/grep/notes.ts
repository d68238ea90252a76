import type { SearchResult } from "mortise/sdk";
import { noRules } from "../files/no-rules.ts";

export type NotesOptions = { output: "content" | "files" | "count"; ignored: boolean };

/** What is to be known of a result besides the matches: how many there are, what of them is shown, and what was not searched. */
export function notes(result: SearchResult, options: NotesOptions): string[] {
  return [found(result, options), ...early(result), ...leftOut(result), ...unreadable(result), ...oddRules(result), ...odd(result)];
}

function found({ shownFiles, shownMatches, totalFiles, totalMatches }: SearchResult, { output, ignored }: NotesOptions): string {
  if (totalFiles === 0) return ignored ? "nothing matches" : "nothing matches; `ignored` searches ignored files too";
  const all = output === "files" ? counted(totalFiles, "file") : `${counted(totalMatches, "matching line")} in ${counted(totalFiles, "file")}`;
  const whole = output === "content" ? shownMatches === totalMatches : shownFiles === totalFiles;
  if (whole) return all;
  const shown = output === "content" ? `${shownMatches} in ${counted(shownFiles, "file")}` : `${shownFiles}`;
  return `${all}, of which the newest are shown: ${shown}; narrow the search down, or raise \`limit\``;
}

function early({ ended }: SearchResult): string[] {
  switch (ended) {
    case "timeout":
      return ["the time was up before all was searched, so there may be more: search a smaller folder"];
    case "cancelled":
      return ["cancelled before all was searched"];
    case "output":
      return ["ended, since there were too many matches: there are more"];
    default:
      return [];
  }
}

function leftOut({ leftOut: count }: SearchResult): string[] {
  if (count === 0) return [];
  const of = count === 1 ? "1 file was" : `${count} files were`;
  return [`${of} not searched, since reading such files needs permission (secrets, or a rule): name one as \`path\` to ask for it`];
}

function unreadable({ unreadable: count, unreadableReason: reason }: SearchResult): string[] {
  return count === 0 ? [] : [`${count === 1 ? "1 file" : `${count} files`} could not be read${reason === null ? "" : `, as ${reason}`}`];
}

function oddRules({ oddRules: path }: SearchResult): string[] {
  return path === undefined ? [] : [noRules(path)];
}

function odd({ binary, invalid }: SearchResult): string[] {
  return [
    ...(binary === 0
      ? []
      : [
          binary === 1 ? "the search of 1 file stopped at bytes that are no text" : `the search of ${binary} files stopped at bytes that are no text`,
        ]),
    ...(invalid ? ["bytes that are no UTF-8 are shown as \ufffd"] : []),
  ];
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
