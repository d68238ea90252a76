import type { Language } from "../../language.ts";
import query from "./query.scm";
import { tagLine } from "./tag-line.ts";

/** The landmarks of a page, and what has an id, as a tree. */
export const html: Language = {
  name: "HTML",
  grammar: "html",
  query,
  extensions: ["html", "htm", "xhtml"],
  line: (text) => tagLine(text),
};
