import { braced } from "../../braced.ts";
import type { Import, Item, Language } from "../../language.ts";

/** Messages, enums and services with what is in them, found by their braces: no package ships a grammar that loads. */
export const protobuf: Language = {
  name: "Protocol Buffers",
  extensions: ["proto"],
  strip: { mod: /^package\s+/, traits: /^service\s+/, consts: /^option\s+/ },
  imports: { separator: "/", read: imported },
  line: (text, kind) => (kind === "brief" ? text.replace(/\s*=.*$/, "") : text),
  scan: (text) => braced(text, { kindOf, tokens: TOKENS, isComment: (token) => /^\/[/*]/.test(token) }),
};

const TOKENS = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\n|[{}()[\];]|[^\S\n]+|[^\s{}()[\];"'/]+|./g;

function kindOf(text: string, parent: string | undefined): Item["kind"] | undefined {
  const [word = ""] = /^\w+/.exec(text) ?? [];
  if (parent === undefined) return TOP[word];
  if (/^(?:message|enum|oneof|extend|group)\b/.test(text)) return "types";
  if (word === "rpc") return "method";
  if (/^(?:option|reserved|extensions)\b/.test(text)) return undefined;
  return /^enum\b/.test(parent) ? "brief" : "field";
}

const TOP: Readonly<Record<string, Item["kind"]>> = {
  import: "import",
  package: "mod",
  option: "consts",
  message: "types",
  enum: "types",
  extend: "types",
  service: "traits",
};

function imported(text: string): Import[] {
  const [, keyword, path = ""] = /^import\s+(?:(public|weak)\s+)?["']([^"']*)/.exec(text) ?? [];
  return [{ ...(keyword === undefined ? {} : { keyword }), path: path.split("/") }];
}
