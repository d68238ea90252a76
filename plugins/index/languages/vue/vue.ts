import type { Language } from "../../language.ts";
import { allBut, TAG_REST } from "../html/scripts.ts";
import { tagLine } from "../html/tag-line.ts";
import { typescript } from "../typescript/typescript.ts";
import query from "./query.scm";

/** The blocks of a component, of its template the components and what has an id, and what its scripts declare. */
export const vue: Language = {
  name: "Vue",
  grammar: "vue",
  query,
  extensions: ["vue"],
  line: (text) => tagLine(text),
  inside: [{ ...typescript, mask: allBut(`<script\\b${TAG_REST}`) }],
};
