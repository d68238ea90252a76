import type { GrammarLanguage } from "../../language.ts";
import query from "./query.scm";
import { included, mend, strip } from "./text.ts";

export const c: GrammarLanguage = {
  name: "C",
  grammar: "c",
  query,
  mend,
  extensions: ["c"],
  strip,
  imports: { separator: "/", read: included },
};
