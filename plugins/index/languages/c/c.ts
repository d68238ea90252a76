import type { GrammarLanguage } from "../../language.ts";
import functions from "./functions.scm";
import query from "./query.scm";
import { included, mask, mend, overlooked, strip } from "./text.ts";

export const c: GrammarLanguage = {
  name: "C",
  grammar: "c",
  query: functions + query,
  mask,
  mend,
  overlooked,
  depth: 14,
  extensions: ["c"],
  strip,
  imports: { separator: "/", read: included },
};
