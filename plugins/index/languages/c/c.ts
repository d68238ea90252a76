import type { GrammarLanguage } from "../../language.ts";
import { cpp } from "../cpp/cpp.ts";
import query from "./query.scm";
import { included, strip } from "./text.ts";

export const c: GrammarLanguage = {
  name: "C",
  grammar: "c",
  query,
  extensions: ["c"],
  strip,
  imports: { separator: "/", read: included },
};

/** A header says nowhere which of the two it is. */
export const header: GrammarLanguage = { ...c, name: "C header", extensions: ["h"], orElse: cpp };
