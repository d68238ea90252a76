import type { Import, Language } from "../../language.ts";
import interfaceQuery from "./interface.scm";
import query from "./query.scm";

const described = {
  strip: { fns: /^(?:val|external)\s+/, method: /^(?:val|method)\s+/, traits: /^module\s+type\s+/, classes: /^module\s+/, types: /^type\s+/ },
  imports: { separator: ".", read: imported },
};

export const ocaml: Language = { name: "OCaml", grammar: "ocaml", query, extensions: ["ml"], shebang: /^(?:ocaml|utop)$/, ...described };

export const ocamlInterface: Language = {
  name: "OCaml interface",
  grammar: "ocaml_interface",
  query: interfaceQuery,
  extensions: ["mli"],
  ...described,
};

/** `open A.B`, `include A`. */
function imported(text: string): Import[] {
  const [, keyword = "", path = ""] = /^(open!?|include)\s+([\s\S]*)$/.exec(text) ?? [];
  return [{ ...(keyword === "include" ? { keyword } : {}), path: path.split(".") }];
}
