import type { Tree } from "web-tree-sitter";

/** Where commands and comments begin. */
export type Places = { starts: readonly number[]; comments: readonly number[] };
/** The grammar's reading of a text; undefined where it found an error. */
export type SecondReading = Places | undefined;

const KINDS = ["command_name", "test_command", "declaration_command", "unset_command", "comment", "heredoc_body", "command_substitution"];

/** What the grammar's tree says of commands and comments, but for those in heredocs and backquotes. */
export function secondReading({ rootNode }: Tree, source: string): SecondReading {
  if (rootNode.hasError) return undefined;
  const starts: number[] = [];
  const comments: number[] = [];
  let from = 0;
  for (const node of rootNode.descendantsOfType(KINDS)) {
    const { type, startIndex } = node;
    if (startIndex < from) continue;
    if (type === "comment") comments.push(startIndex);
    else if (type === "heredoc_body" || type === "command_substitution") {
      // What stands in these has places of its own.
      if (type === "heredoc_body" || source[startIndex] === "`") from = node.endIndex;
    } else if (type !== "test_command" || source[startIndex] === "[") starts.push(startIndex);
  }
  return { starts, comments };
}

/** Why two readings of a text do not agree, or undefined. Where they do not, one of them is wrong. */
export function differs(own: Places, theirs: SecondReading, source: string): string | undefined {
  if (theirs === undefined) return "a syntax error";
  if (!same(own.starts, theirs.starts, source)) return "two readings of it differ";
  return same(own.comments, theirs.comments, source) ? undefined : "a # that may be no comment";
}

function same(own: readonly number[], theirs: readonly number[], source: string): boolean {
  if (own.length !== theirs.length) return false;
  const places = (list: readonly number[]) => list.map((at) => behindContinuations(at, source)).sort((a, b) => a - b);
  const left = places(own);
  const right = places(theirs);
  return left.every((at, index) => at === right[index]);
}

function behindContinuations(from: number, source: string): number {
  let at = from;
  while (source[at] === "\\" && source[at + 1] === "\n") at += 2;
  return at;
}
