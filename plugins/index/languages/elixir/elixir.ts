import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const elixir: Language = {
  name: "Elixir",
  grammar: "elixir",
  query,
  extensions: ["ex", "exs"],
  shebang: /^(?:elixir|iex)$/,
  strip: { classes: /^defmodule\s+/, traits: /^defprotocol\s+/, impls: /^defimpl\s+/, method: /^def\s+/, test: /^(?:test|property)\s+/ },
  imports: { separator: ".", read: imported },
};

/** `alias A.{B, C}`, `alias A.B, as: C`. */
function imported(text: string): Import[] {
  const [, keyword = "", base = "", names, rest = ""] = /^(\w+)[\s(]+([\w.!?@]*?)(?:\.\{([^}]*)\})?(,[\s\S]*?)?\)?$/.exec(text) ?? [];
  if (base === "") return [{ path: [text.replace(/\s+/g, " ")] }];
  const path = base.split(".");
  const [, alias] = /\bas:\s*(\S+)/.exec(rest) ?? [];
  if (names !== undefined) return names.split(",").map((name) => ({ keyword, path: [...path, name.trim()] }));
  return [{ keyword, path: alias === undefined ? path : [...path.slice(0, -1), `${path.at(-1)} as ${alias}`] }];
}
