import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const julia: Language = {
  name: "Julia",
  grammar: "julia",
  query,
  extensions: ["jl"],
  shebang: /^julia$/,
  strip: { fns: /^function\s+/, consts: /^const\s+/, macros: /^macro\s+/, mod: /^(?:bare)?module\s+/ },
  line: (text, kind) => (kind === "macros" ? `@${text}` : text),
  imports: { separator: ".", read: imported },
};

/** `using A, B: c, d`; what stands behind the colon are names of the last one. */
function imported(text: string): Import[] {
  const [, modules = "", names] = /^(?:using|import)\s+([^:]*(?:::[^:]*)*)(?::\s*([\s\S]*))?$/.exec(text) ?? [];
  const paths = list(modules).map((module) => module.split(".").map((part) => (part === "" ? "." : part)));
  const last = paths.pop() ?? [];
  return [...paths.map((path) => ({ path })), ...(names === undefined ? [{ path: last }] : list(names).map((name) => ({ path: [...last, name] })))];
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
