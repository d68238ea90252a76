import type { Tree } from "./tree.ts";

export type Places = { starts: readonly number[]; comments: readonly number[] };

/** Why the grammar's tree of a text and its own reading do not agree, or undefined. Where they do not, one of them is wrong. */
export function differs(tree: Tree, source: string, own: Places): string | undefined {
  const theirs: { starts: number[]; comments: number[] } = { starts: [], comments: [] };
  if (!gather(tree, source, theirs)) return "a syntax error";
  if (!same(own.starts, theirs.starts, source)) return "two readings of it differ";
  return same(own.comments, theirs.comments, source) ? undefined : "a # that may be no comment";
}

/** False where an error is in the tree. */
function gather(node: Tree, source: string, found: { starts: number[]; comments: number[] }): boolean {
  if (node.type === "ERROR" || node.missing) return false;
  switch (node.type) {
    case "comment":
      found.comments.push(node.start);
      break;
    case "command_name":
    case "declaration_command":
    case "unset_command":
      found.starts.push(node.start);
      break;
    case "test_command":
      if (source[node.start] === "[") found.starts.push(node.start);
      break;
    case "heredoc_body":
      // What stands in it has places of its own.
      return true;
    case "command_substitution":
      if (source[node.start] === "`") return true;
  }
  return node.children.every((child) => gather(child, source, found));
}

function same(own: readonly number[], theirs: readonly number[], source: string): boolean {
  const places = (list: readonly number[]) => [...list].map((at) => behindContinuations(at, source)).sort((a, b) => a - b);
  const left = places(own);
  const right = places(theirs);
  return left.length === right.length && left.every((at, index) => at === right[index]);
}

function behindContinuations(from: number, source: string): number {
  let at = from;
  while (source[at] === "\\" && source[at + 1] === "\n") at += 2;
  return at;
}
