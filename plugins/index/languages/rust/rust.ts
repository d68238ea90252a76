import type { Import, Language } from "../../language.ts";
import { leading } from "../../leading.ts";
import query from "./query.scm";

export const rust: Language = {
  name: "Rust",
  grammar: "rust",
  query,
  depth: 12,
  extensions: ["rs"],
  shebang: /^(?:rust-script|cargo)$/,
  strip: {
    mod: /\bmod\s+/,
    consts: leading("const"),
    traits: /\btrait\s+/,
    impls: /\bimpl\b\s*/,
    fns: /\bfn\s+/,
    method: /\bfn\s+/,
    test: /\b(?:pub\s+)?(?:async\s+)?(?:fn|mod)\s+/,
  },
  line: (text, kind) => (kind === "macros" ? `${text.replace(/^macro_rules!\s*/, "")}!` : kind === "test" ? text.replace(/\(.*$/, "") : text),
  imports: { separator: "::", read: imported },
};

/** `use a::{b, c::{self, d as e}}` is every path that it stands for. */
function imported(text: string): Import[] {
  const crate = /^(.*\b)?extern crate\s+(.*?);?$/.exec(text);
  if (crate !== null) return [{ keyword: "extern crate", path: [crate[2] ?? ""] }];
  const [, visible = "", tree = ""] = /^(pub(?:\([^)]*\))?\s+)?use\s+(?:::)?(.*?);?$/.exec(text) ?? [];
  const keyword = visible.trim();
  return paths(tree).map((path) => (keyword === "" ? { path } : { keyword: `${keyword} use`, path }));
}

function paths(tree: string): string[][] {
  const open = tree.indexOf("{");
  if (open === -1) return [tree.split("::").map((part) => part.trim())];
  const before = tree
    .slice(0, open)
    .split("::")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return pieces(tree.slice(open + 1, tree.lastIndexOf("}"))).flatMap((piece) => paths(piece).map((path) => [...before, ...path]));
}

/** At commas that are in no braces. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === "{") depth++;
    else if (char === "}") depth--;
    else if (char === undefined || (char === "," && depth === 0)) {
      const piece = text.slice(from, at).trim();
      if (piece !== "") found.push(piece);
      from = at + 1;
    }
  }
  return found;
}
