import type { Language } from "../../language.ts";
import { tagLine } from "../html/tag-line.ts";
import query from "./query.scm";

/** The blocks of a component, and of its template the components and what has an id. Read the script's own lines with `read`. */
export const vue: Language = {
  name: "Vue",
  grammar: "vue",
  query,
  extensions: ["vue"],
  line: (text) => tagLine(text),
};
