import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const go: Language = {
  name: "Go",
  grammar: "go",
  query,
  depth: 10,
  extensions: ["go"],
  strip: { mod: /^package\s+/, consts: /^const\s+/, types: /^type\s+/, fns: /^func\s+/, impls: /^func\s+/ },
  line: (text, kind) => (kind === "types" ? text.replace(/^(\w+(?:\[.*?\])?) (struct|interface)$/, "$2 $1") : text),
  imports: { separator: "/", read: imported },
};

/** `alias "a/b"`. */
function imported(text: string): Import[] {
  const [, alias, quoted = ""] = /^(?:(\S+)\s+)?["`](.*)["`]$/.exec(text) ?? [];
  const names = quoted.split("/");
  return [{ path: alias === undefined ? names : [...names.slice(0, -1), `${names.at(-1)} as ${alias}`] }];
}
