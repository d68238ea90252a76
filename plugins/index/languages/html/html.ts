import type { Language } from "../../language.ts";
import { javascript } from "../javascript/javascript.ts";
import query from "./query.scm";
import { allBut, TAG_REST } from "./scripts.ts";
import { tagLine } from "./tag-line.ts";

/** The landmarks of a page and what has an id, as a tree, and what its scripts declare. */
export const html: Language = {
  name: "HTML",
  grammar: "html",
  query,
  extensions: ["html", "htm", "xhtml"],
  line: (text) => tagLine(text),
  inside: [
    {
      ...javascript,
      mask: allBut(`<script\\b(?![^>]{0,200}\\btype\\s*=\\s*(?!["']?(?:module|(?:text|application)/(?:java|ecma)script)))${TAG_REST}`),
    },
  ],
};
