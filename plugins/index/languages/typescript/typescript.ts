import type { GrammarLanguage } from "../../language.ts";
import query from "../javascript/query.scm";
import { line, strip } from "../javascript/text.ts";
import typed from "./query.scm";

export const typescript: GrammarLanguage = {
  name: "TypeScript",
  grammar: "typescript",
  query: typed + query,
  // Variance of type parameters.
  mend: "(?<=[<,]\\s*)(?:in\\s+out|in|out)(?=\\s+[A-Z])",
  depth: 12,
  extensions: ["ts", "mts", "cts"],
  shebang: /^(?:ts-node|tsx|deno)$/,
  strip,
  line,
  longest: { types: 80 },
};
