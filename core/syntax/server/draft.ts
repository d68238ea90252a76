import { evaluatesTest } from "./arithmetic.ts";
import type { Command, Word } from "./command.ts";
import { heredocs } from "./heredoc.ts";
import { noFile } from "./programs.ts";
import type { Tree } from "./tree.ts";
import { wordOf } from "./words.ts";

/** A simple command in the making. `inside` are the nodes that may hold commands of their own. */
export type Draft = {
  argv: Word[];
  assignments: Command["assignments"];
  redirects: Command["redirects"];
  /** What a heredoc or here-string gives it to read. */
  input: Word | undefined;
  passive: boolean;
  inside: Tree[];
};

const SIMPLE = new Set(["command", "declaration_command", "unset_command", "test_command", "variable_assignment", "variable_assignments"]);
const REDIRECTS = new Set(["file_redirect", "heredoc_redirect", "herestring_redirect"]);

export function isSimple(node: Tree): boolean {
  return SIMPLE.has(node.type);
}

export function isRedirect(node: Tree): boolean {
  return REDIRECTS.has(node.type);
}

export function emptyDraft(): Draft {
  return { argv: [], assignments: [], redirects: [], input: undefined, passive: false, inside: [] };
}

/** Gathers the words, assignments and redirects of a simple command. */
export function createDrafting(source: string, force: (why: string) => void) {
  const slice = (node: Tree) => source.slice(node.start, node.end);

  function draftOf(node: Tree): Draft {
    const draft = emptyDraft();
    if (node.type === "test_command") {
      if (evaluatesTest(node, source)) force("a test that evaluates its operand");
      // A test of plain words does nothing that needs a permission.
      return { ...draft, argv: [{ text: slice(node), static: true, source: slice(node) }], passive: true, inside: node.children };
    }
    const declares = node.type === "declaration_command" || node.type === "unset_command";
    for (const child of node.type === "variable_assignment" ? [node] : node.children) {
      if (isRedirect(child)) addRedirect(draft, child);
      else if (child.type === "variable_assignment" && !declares) addAssignment(draft, child);
      else {
        draft.inside.push(...(child.type === "variable_assignment" ? child.children : [child]));
        if (child.type === "subshell") force("a subshell behind a command");
        else if (child.type === "variable_assignment") draft.argv.push(assignmentWord(child));
        else if (child.type !== "ERROR") draft.argv.push(wordOf(child, source));
      }
    }
    return draft;
  }

  /** Adds redirects that follow on `end`. */
  function addRedirects(draft: Draft, nodes: readonly Tree[], end: number): Draft {
    let before = end;
    for (const node of nodes) {
      // The grammar drops a lone `-` in front of a heredoc.
      if (/^(?:\s|\\\n)*-(?:\s|\\\n)*$/.test(source.slice(before, node.start))) draft.argv.push({ text: "-", static: true, source: "-" });
      before = Math.max(before, node.end);
      addRedirect(draft, node);
    }
    return draft;
  }

  function addRedirect(draft: Draft, node: Tree): void {
    if (node.type === "file_redirect") addFile(draft, node);
    else if (node.type === "herestring_redirect") addHerestring(draft, node);
    else if (node.type === "heredoc_redirect") addHeredoc(draft, node);
    else draft.inside.push(node);
  }

  function addFile(draft: Draft, node: Tree): void {
    const operator = node.children.find((child) => !child.named)?.type ?? "";
    const [target, ...words] = node.children.filter((child) => child.field === "destination");
    // A redirect takes one word: the others are arguments.
    for (const word of words) draft.argv.push(wordOf(word, source));
    draft.inside.push(...node.children);
    if (target === undefined) return;
    const word = wordOf(target, source);
    if (/^[<>]&$/.test(operator) && word.static && /^(?:\d+-?|-)$/.test(word.text)) return;
    if (word.static && noFile.test(word.text)) return;
    const access = operator === "<" || operator === "<&" ? "read" : "write";
    if (!word.static && access === "write") force("a file that is known only when it is written");
    draft.redirects.push({ access, target: word });
  }

  function addHerestring(draft: Draft, node: Tree): void {
    const word = node.children.find((child) => child.named && child.type !== "file_descriptor");
    if (word !== undefined) draft.input = wordOf(word, source);
    draft.inside.push(...node.children);
  }

  function addHeredoc(draft: Draft, node: Tree): void {
    if (heredocs.feedsInput(node, source)) draft.input = heredocs.textOf(node, source);
    for (const child of node.children) {
      if (child.type === "heredoc_body" && heredocs.isQuoted(node, source)) continue;
      if (isRedirect(child)) {
        addRedirect(draft, child);
        continue;
      }
      if (child.field === "argument") draft.argv.push(wordOf(child, source));
      // What stands behind the opener on its line runs too.
      if (!HEREDOC_MARKS.has(child.type)) draft.inside.push(child);
    }
  }

  function addAssignment(draft: Draft, node: Tree): void {
    const name = node.children.find((child) => child.field === "name");
    const value = node.children.find((child) => child.field === "value");
    const empty: Word = { text: "", static: true, source: "" };
    draft.assignments.push({ name: name === undefined ? "" : slice(name), value: value === undefined ? empty : wordOf(value, source) });
    draft.inside.push(...node.children);
  }

  function assignmentWord(node: Tree): Word {
    const value = node.children.find((child) => child.field === "value");
    const word = value === undefined ? undefined : wordOf(value, source);
    return { text: source.slice(node.start, value?.start ?? node.end) + (word?.text ?? ""), static: word?.static ?? true, source: slice(node) };
  }

  return { draftOf, addRedirects };
}

const HEREDOC_MARKS = new Set(["heredoc_start", "heredoc_end", "file_descriptor"]);
