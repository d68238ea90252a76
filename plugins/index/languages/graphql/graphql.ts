import { braced } from "../../braced.ts";
import type { Item, Language } from "../../language.ts";

/** Types with their fields, operations and fragments, found by their braces: no package ships a grammar that loads. */
export const graphql: Language = {
  name: "GraphQL",
  extensions: ["graphql", "graphqls", "gql"],
  strip: { traits: /^interface\s+/ },
  line: (text, kind) => (kind === "brief" ? text.replace(/\s*@.*$/, "").replace(/ /g, ", ") : text.replace("= | ", "= ")),
  scan: (text) =>
    braced(text, {
      kindOf,
      tokens: TOKENS,
      isComment: (token) => token.startsWith("#") || token.startsWith('"'),
      byLines: { goesOn: /^[=|&@:,!)\]]/, wantsMore: /[=|&:,]$/ },
    }),
};

/** Strings outside parentheses are descriptions. */
const TOKENS = /"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#[^\n]*|\n|[{}()[\]]|[^\S\n]+|[^\s{}()[\]"#]+|./g;

function kindOf(text: string, parent: string | undefined): Item["kind"] | undefined {
  const [word = ""] = /^(?:extend\s+)?(\w+)/.exec(text)?.slice(1) ?? [];
  if (parent === undefined) return TOP[word];
  if (/^(?:extend\s+)?enum\b/.test(parent)) return "brief";
  return /^(?:extend\s+)?(?:type|interface|input|schema)\b/.test(parent) ? "field" : undefined;
}

const TOP: Readonly<Record<string, Item["kind"]>> = {
  schema: "types",
  scalar: "types",
  type: "types",
  union: "types",
  enum: "types",
  input: "types",
  interface: "traits",
  directive: "macros",
  query: "fns",
  mutation: "fns",
  subscription: "fns",
  fragment: "fns",
};
