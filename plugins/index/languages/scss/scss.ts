import { braced } from "../../braced.ts";
import type { Item, Language } from "../../language.ts";
import { imported } from "../css/css.ts";

/** Rules and what is nested in them, found by their braces: the grammar that loads takes much ordinary SCSS for errors. */
export const scss: Language = {
  name: "SCSS",
  extensions: ["scss", "less"],
  strip: { macros: /^@mixin\s+/, fns: /^@function\s+/ },
  longest: { rules: 100, method: 100, field: 60 },
  imports: { separator: " ", read: imported },
  scan: (text) => braced(text, { kindOf, tokens: TOKENS, isComment: (token) => /^\/[/*]/.test(token) }),
};

const TOKENS =
  /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|url\([^)]*\)?|[#@]\{[^}]*\}?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\n|[{}()[\];]|[^\S\n]+|[^\s{}()[\];"'/#@]+|./g;

function kindOf(text: string, parent: string | undefined, opens: boolean): Item["kind"] | undefined {
  const [word = ""] = /^@[\w-]+/.exec(text) ?? [];
  if (parent !== undefined) return opens ? "method" : /^--/.test(text) ? "field" : undefined;
  if (/^@(?:import|use|forward)$/.test(word)) return "import";
  if (/^[$@][\w-]+\s*:/.test(text)) return "consts";
  if (word === "@mixin" || (!opens && word === "")) return opens ? "macros" : undefined;
  return word === "@function" ? "fns" : opens ? "rules" : word === "@include" ? undefined : "rules";
}
