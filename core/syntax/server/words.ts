import type { Word } from "./command.ts";
import { ansiC, doubleQuoted } from "./quotes.ts";
import type { Tree } from "./tree.ts";

/** Takes the quotes off a word. What is expanded stays as it is written, and the word is not static. */
export function wordOf(node: Tree, source: string): Word {
  const parts = partsOf(node, source);
  const text = parts.map((part) => part.text).join("");
  // Quoted and expanded parts cannot be part of a glob, a brace expansion or a tilde.
  const bare = parts.map((part) => part.bare).join("");
  const home = /^~(?:\/|$)/.test(bare);
  const known = parts.every((part) => part.static) && !GLOB.test(bare) && !BRACES.test(bare) && (home || !bare.startsWith("~"));
  return { text, static: known, ...(home ? { tilde: true as const } : {}), source: source.slice(node.start, node.end) };
}

/** Whether the text is one bash gives a meaning to only where no quote is in it. */
export function isBare(node: Tree): boolean {
  return node.type === "word" || (node.children.length === 1 && isBare(node.children[0]!));
}

type Part = { text: string; static: boolean; bare: string };

const GLOB = /[*?]|\[[^\]]*\]|[@!+]\(/;
const BRACES = /\{.*(?:,|\.\.).*\}/s;
const QUOTED = "\u0001";

function partsOf(node: Tree, source: string): Part[] {
  const written = source.slice(node.start, node.end);
  const expanded: Part = { text: written, static: false, bare: QUOTED };
  switch (node.type) {
    case "command_name":
    case "concatenation":
      return node.children.length === 0 ? [unescaped(written)] : node.children.flatMap((child) => partsOf(child, source));
    case "word":
    case "variable_name":
    case "$":
      return [unescaped(written)];
    case "number":
      return node.children.length === 0 ? [unescaped(written)] : [expanded];
    case "raw_string":
      return [{ text: written.slice(1, -1), static: true, bare: QUOTED }];
    case "ansi_c_string":
      return [{ text: ansiC(written.slice(2, -1)), static: true, bare: QUOTED }];
    case "string": {
      const fixed = node.children.every((child) => !child.named || child.type === "string_content") && !/(?<!\\)`/.test(written);
      return [{ text: doubleQuoted(written.slice(1, -1)), static: fixed, bare: QUOTED }];
    }
    default:
      return node.named ? [expanded] : [unescaped(written)];
  }
}

function unescaped(written: string): Part {
  let text = "";
  let bare = "";
  for (let at = 0; at < written.length; at++) {
    const char = written[at]!;
    if (char !== "\\") {
      text += char;
      bare += char;
      continue;
    }
    const next = written[++at];
    if (next === undefined || next === "\n") continue;
    text += next;
    bare += QUOTED;
  }
  return { text, static: !bare.includes("`"), bare };
}
