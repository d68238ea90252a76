import type { GrammarLanguage, Item } from "../../language.ts";
import { leading } from "../../leading.ts";
import { c } from "../c/c.ts";
import common from "../c/query.scm";
import { included, maskCpp, mend, overlooked, strip } from "../c/text.ts";
import query from "./query.scm";

export const cpp: GrammarLanguage = {
  name: "C++",
  grammar: "cpp",
  query: query + common,
  mask: maskCpp,
  mend,
  overlooked,
  depth: 12,
  extensions: ["cpp", "cc", "cxx", "c++", "hpp", "hxx", "hh", "h++", "ixx", "cppm", "inl", "ipp", "tpp", "cu", "cuh", "ino"],
  strip: { ...strip, mod: /^(?:inline\s+)?namespace\s*/, classes: leading("class", "(?:template\\s*<.*>\\s*)?") },
  imports: { separator: "/", read: included },
  shape: withoutTrailingMacros,
};

/** A header says nowhere which of the two it is. */
export const header: GrammarLanguage = { ...cpp, name: "C header", extensions: ["h"], orElse: c };

/** What stands behind a member in its line and looks like a call, as `GUARDED_BY(lock)`, says something about it and is none. */
function withoutTrailingMacros(items: readonly Item[]): Item[] {
  return items.map((item) => ({
    ...item,
    children: withoutTrailingMacros(item.children).filter(
      ({ kind, text, startRow }, at, all) => kind !== "method" || all[at - 1]?.endRow !== startRow || !/^[A-Z][A-Z0-9_]*\([^()]*\);?$/.test(text),
    ),
  }));
}
