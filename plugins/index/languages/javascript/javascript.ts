import type { GrammarLanguage } from "../../language.ts";
import fields from "./fields.scm";
import query from "./query.scm";
import { line, strip } from "./text.ts";

export const javascript: GrammarLanguage = {
  name: "JavaScript",
  grammar: "javascript",
  query: fields + query,
  depth: 12,
  extensions: ["js", "mjs", "cjs", "jsx"],
  shebang: /^(?:node|bun)$/,
  strip,
  line,
};
