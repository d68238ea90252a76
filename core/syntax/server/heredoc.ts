import type { Word } from "./command.ts";
import { heredocText } from "./quotes.ts";
import type { Tree } from "./tree.ts";

/** Delimiters that the grammar and bash take alike. */
const DELIMITER = /^(?:[\w.-]+|'[\w .-]+'|"[\w .-]+"|\\[\w.-]+)$/;

export const heredocs = {
  /** Why bash may read this heredoc otherwise, or undefined. */
  doubt(node: Tree, source: string): string | undefined {
    const start = part(node, "heredoc_start");
    const end = part(node, "heredoc_end");
    if (start === undefined || end === undefined) return "a heredoc without its end";
    const written = source.slice(start.start, start.end);
    if (!DELIMITER.test(written)) return "an unusual heredoc delimiter";
    const delimiter = written.replace(/['"\\]/g, "");
    const stripped = isStripped(node);
    const line = (text: string) => (stripped ? text.replace(/^\t+/, "") : text);
    // Bash ends at the first line that is the delimiter, whatever stands around it.
    const from = source.indexOf("\n", start.end);
    if (from === -1) return "a heredoc without a body";
    const lines = source.slice(from + 1).split("\n");
    const at = lines.findIndex((text) => line(text) === delimiter);
    if (at === -1) return "a heredoc without its end";
    const ends = from + 1 + lines.slice(0, at + 1).join("\n").length;
    return ends === end.end ? undefined : "a heredoc that ends elsewhere";
  },

  /** Whether the body is plain text. */
  isQuoted(node: Tree, source: string): boolean {
    const start = part(node, "heredoc_start");
    return start !== undefined && /['"\\]/.test(source.slice(start.start, start.end));
  },

  body(node: Tree): Tree | undefined {
    return part(node, "heredoc_body");
  },

  /** Whether it goes to the standard input. */
  feedsInput(node: Tree, source: string): boolean {
    const descriptor = node.children.find((child) => child.field === "descriptor");
    return descriptor === undefined || source.slice(descriptor.start, descriptor.end) === "0";
  },

  textOf(node: Tree, source: string): Word {
    const body = part(node, "heredoc_body");
    if (body === undefined) return { text: "", static: true, source: "" };
    // The node may begin after the blanks of its first line.
    const from = source.lastIndexOf("\n", body.start - 1) + 1;
    const written = source.slice(from, body.end);
    const text = isStripped(node) ? written.replace(/^\t+/gm, "") : written;
    if (heredocs.isQuoted(node, source)) return { text, static: true, source: written };
    const fixed = !/(?<!\\)[$`]/.test(written);
    return { text: fixed ? heredocText(text) : text, static: fixed, source: written };
  },
};

function part(node: Tree, type: string): Tree | undefined {
  return node.children.find((child) => child.type === type);
}

function isStripped(node: Tree): boolean {
  return node.children.some((child) => child.type === "<<-");
}

/** Whether a substitution only prints a heredoc of plain text: `$(cat <<'X' ... X)`. */
export function isConstant(substitution: Tree, source: string): boolean {
  const [statement, ...more] = substitution.children.filter((child) => child.named);
  if (substitution.children[0]?.type !== "$(" || more.length > 0 || statement?.type !== "redirected_statement") return false;
  const [body, redirect, ...others] = statement.children;
  if (body === undefined || redirect?.type !== "heredoc_redirect" || others.length > 0) return false;
  const plain = redirect.children.every((child) => !child.named || /^heredoc_(?:start|body|end)$/.test(child.type));
  return plain && heredocs.isQuoted(redirect, source) && source.slice(body.start, body.end) === "cat";
}
