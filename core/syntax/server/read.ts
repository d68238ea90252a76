import { arithmetic, evaluatesExpansion } from "./arithmetic.ts";
import { type Command, commandOf, type Word } from "./command.ts";
import { createDrafting, type Draft, emptyDraft, isRedirect, isSimple } from "./draft.ts";
import { isConstant } from "./heredoc.ts";
import type { Tree } from "./tree.ts";

export type Reading = {
  add(command: Command, input?: Word): void;
  force(why: string): void;
  /** Text for a shell. */
  text(word: Word, why: string): void;
  /** Whether the node lies in what is only the body of a heredoc. */
  isBody(node: Tree): boolean;
};

/** Finds every simple command of a tree, in source order. */
export function readTree(root: Tree, source: string, { add, force, text, isBody }: Reading): void {
  const { draftOf, addRedirects } = createDrafting(source, force);
  visit(root);

  function visit(node: Tree): void {
    if (isSimple(node)) finish(draftOf(node), node);
    else if (node.type === "redirected_statement") redirected(node);
    else if (isRedirect(node)) finish(addRedirects(emptyDraft(), [node], node.start), node);
    else if (node.type === "command_substitution") substitution(node);
    else {
      if (node.type === "for_statement") loopVariable(node);
      const why = evaluated(node);
      if (why !== undefined) force(why);
      if (node.children.length === 0) leaf(node);
      else node.children.forEach(visit);
    }
  }

  /** A loop over a variable in capitals sets what programs may read. */
  function loopVariable(node: Tree): void {
    const variable = node.children.find((child) => child.field === "variable");
    const name = variable === undefined ? "" : source.slice(variable.start, variable.end);
    if (/[A-Z]/.test(name)) add({ ...commandOf([], { assignments: [{ name, value: { text: "", static: false, source: "" } }] }), text: `${name}=` });
  }

  function evaluated(node: Tree): string | undefined {
    switch (node.type) {
      case "process_substitution":
        return "a process substitution";
      case "arithmetic_expansion":
        return arithmetic.evaluates(node, source) ? "arithmetic with a variable" : undefined;
      case "c_style_for_statement":
        return arithmetic.evaluatesLoop(node, source) ? "arithmetic with a variable" : undefined;
      case "compound_statement":
        return node.children[0]?.type === "((" && arithmetic.evaluates(node, source) ? "arithmetic with a variable" : undefined;
      case "expansion":
      case "subscript":
        return evaluatesExpansion(node, source) ? "an expansion that is evaluated" : undefined;
      default:
        return undefined;
    }
  }

  function redirected(node: Tree): void {
    const [body, ...redirects] = node.children;
    if (body?.field === "body") tail(body, redirects);
    else finish(addRedirects(emptyDraft(), node.children, node.start), node);
  }

  /** Redirects behind a list belong to its last command. */
  function tail(body: Tree, redirects: readonly Tree[]): void {
    if (body.type === "list" || body.type === "pipeline" || body.type === "negated_command") {
      body.children.slice(0, -1).forEach(visit);
      const last = body.children.at(-1);
      if (last !== undefined) tail(last, redirects);
    } else if (body.type === "redirected_statement" && body.children[0]?.field === "body") {
      tail(body.children[0], [...body.children.slice(1), ...redirects]);
    } else if (isSimple(body)) {
      finish(addRedirects(draftOf(body), redirects, body.end), body);
    } else {
      visit(body);
      const draft = addRedirects(emptyDraft(), redirects, body.end);
      if (draft.argv.length > 0) force("a word behind a compound command");
      finish(draft, body);
    }
  }

  function finish(draft: Draft, node: Tree): void {
    const { argv, assignments, redirects, input, passive, inside } = draft;
    if (!isBody(node) && argv.length + assignments.length + redirects.length > 0) {
      const command = commandOf(argv, { assignments, redirects, passive });
      if (argv.length === 0) command.text = assignments.map(({ name, value }) => `${name}=${value.source}`).join(" ");
      add(command, input);
    }
    inside.forEach(visit);
  }

  function substitution(node: Tree): void {
    if (!isConstant(node, source)) force("a command substitution");
    const inner = source.slice(node.start + 1, node.end - 1);
    if (node.children[0]?.type === "`") text({ text: withoutBackslashes(inner), static: true, source: inner }, "a command substitution");
    else node.children.forEach(visit);
  }

  /** In some places the grammar sees no substitutions. */
  function leaf(node: Tree): void {
    if (!node.named || PLAIN.has(node.type)) return;
    const written = source.slice(node.start, node.end);
    const hidden = /(?<!\\)`((?:\\.|[^`\\])*)`?/s.exec(written) ?? /(?<!\\)\$\(([\s\S]*)/.exec(written);
    if (hidden !== null) text({ text: withoutBackslashes(hidden[1]!), static: true, source: written }, "a command substitution");
  }
}

const PLAIN = new Set(["raw_string", "ansi_c_string", "comment"]);

/** Inside backquotes a backslash keeps these from the outer reading. */
function withoutBackslashes(inner: string): string {
  return inner.replace(/\\([$`\\])/g, "$1");
}
