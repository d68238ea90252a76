import { heredocs } from "./heredoc.ts";
import type { Tree } from "./tree.ts";

/**
 * Why this tree must not be believed, or undefined. The grammar and bash differ on some texts without an error node;
 * each difference known shows as a character the grammar passes over or joins where bash would not.
 */
export function doubt(root: Tree, source: string): string | undefined {
  const strange = STRANGE.exec(source);
  if (strange !== null) return `the character U+${strange[0].codePointAt(0)!.toString(16).padStart(4, "0")}`;
  return doubtOf(root, source);
}

/** Bash and the grammar disagree on which of these are blanks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STRANGE = /[\u0000-\u0008\u000b-\u001f\u007f\u0085\u1680\u2000-\u200a\u2028\u2029\u205f\u3000]/u;

/** Bash reads these on one line: nothing but blanks and line continuations may stand between their parts. */
const ONE_LINE = new Set([
  "command",
  "command_name",
  "declaration_command",
  "unset_command",
  "negated_command",
  "redirected_statement",
  "file_redirect",
  "herestring_redirect",
  "variable_assignment",
  "variable_assignments",
]);
/** Their parts touch. */
const ONE_WORD = new Set(["concatenation", "simple_expansion"]);
/** Statements follow each other here, each on a line of its own unless an operator stands between. */
const STATEMENTS = new Set(["program", "do_group", "compound_statement", "subshell"]);
/** A new line may follow an operator of these, and not precede it. */
const LISTS = new Set(["list", "pipeline"]);

function doubtOf(node: Tree, source: string): string | undefined {
  if (node.type === "ERROR" || node.missing) return "a syntax error";
  const own = ownDoubt(node, source);
  if (own !== undefined) return own;
  for (const child of node.children) {
    const found = doubtOf(child, source);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ownDoubt(node: Tree, source: string): string | undefined {
  switch (node.type) {
    case "comment":
      return startsComment(source, node.start) ? undefined : "a # that may be no comment";
    case "word":
      return /[\s;|&<>]/.test(source.slice(node.start, node.end).replace(/\\[\s\S]/g, "")) ? "a word with an operator in it" : undefined;
    case "heredoc_redirect":
      return heredocs.doubt(node, source);
  }
  if (ONE_LINE.has(node.type)) return gaps(node, source, (gap) => isBlank(gap.replace(/-(?=[ \t\\])/, "")) && !/^(?:\\\n)+$/.test(gap));
  if (ONE_WORD.has(node.type)) return gaps(node, source, (gap) => /^(?:\\\n)*$/.test(gap));
  if (LISTS.has(node.type)) return gaps(node, source, (gap, next) => next.named || isBlank(gap));
  if (STATEMENTS.has(node.type))
    return gaps(
      node,
      source,
      (gap, next, before) => /^(?:[ \t\n]|\\\n)*$/.test(gap) && (gap.includes("\n") || !next.named || !before.named || next.type === "comment"),
    );
  return undefined;
}

function gaps(node: Tree, source: string, allowed: (gap: string, next: Tree, before: Tree) => boolean): string | undefined {
  let before = node.children[0];
  for (const child of node.children.slice(1)) {
    if (before !== undefined && child.start > before.end && !allowed(source.slice(before.end, child.start), child, before))
      return "text that belongs to no word";
    if (before === undefined || child.end > before.end) before = child;
  }
  return undefined;
}

function isBlank(gap: string): boolean {
  return /^(?:[ \t]|\\\n)*$/.test(gap);
}

/** A comment begins where a word could: at the start, or after a blank or operator that no backslash escapes. */
function startsComment(source: string, at: number): boolean {
  if (at === 0) return true;
  if (!/[ \t\n;&|(]/.test(source[at - 1]!)) return false;
  let slashes = 0;
  while (source[at - 2 - slashes] === "\\") slashes++;
  return slashes % 2 === 0;
}
