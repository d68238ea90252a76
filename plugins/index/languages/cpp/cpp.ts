import type { GrammarLanguage } from "../../language.ts";
import { c } from "../c/c.ts";
import common from "../c/query.scm";
import { included, mask, mend, strip } from "../c/text.ts";
import query from "./query.scm";

export const cpp: GrammarLanguage = {
  name: "C++",
  grammar: "cpp",
  query: query + common,
  mask,
  mend,
  depth: 12,
  extensions: ["cpp", "cc", "cxx", "c++", "hpp", "hxx", "hh", "h++", "ixx", "cppm", "inl", "ipp", "tpp", "cu", "cuh", "ino"],
  strip: { ...strip, mod: /^(?:inline\s+)?namespace\s*/, classes: /\bclass\s+/ },
  imports: { separator: "/", read: included },
};

/** A header says nowhere which of the two it is. */
export const header: GrammarLanguage = { ...cpp, name: "C header", extensions: ["h"], orElse: c };
