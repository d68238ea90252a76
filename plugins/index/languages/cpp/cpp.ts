import type { GrammarLanguage } from "../../language.ts";
import common from "../c/query.scm";
import { included, strip } from "../c/text.ts";
import query from "./query.scm";

export const cpp: GrammarLanguage = {
  name: "C++",
  grammar: "cpp",
  query: query + common,
  extensions: ["cpp", "cc", "cxx", "c++", "hpp", "hxx", "hh", "h++", "ixx", "cppm", "inl", "ipp", "tpp", "cu", "cuh", "ino"],
  strip: { ...strip, mod: /^(?:inline\s+)?namespace\s*/, classes: /\bclass\s+/ },
  imports: { separator: "/", read: included },
};
