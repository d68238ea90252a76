import type { Import, Item, Language } from "../../language.ts";
import query from "./query.scm";

/** Functions are listed by their signatures, with the lines of their equations, and by the first of these where they have none. */
export const haskell: Language = {
  name: "Haskell",
  grammar: "haskell",
  query,
  extensions: ["hs", "hsc"],
  shebang: /^(?:runghc|runhaskell|stack|cabal)$/,
  strip: { traits: /^class\s+/, impls: /^instance\s+/ },
  line: (text, kind) => (kind === "mod" ? text.replace(/^module\s+(\S+)[\s\S]*$/, "$1") : text.replace(/\s+where$/, "")),
  imports: { separator: ".", read: imported },
  shape: withEquations,
};

/** Equations go with the signature or the equation before them of the same name. */
function withEquations(items: readonly Item[]): Item[] {
  const shaped: Item[] = [];
  let last: { item: Item; names: string[] } | undefined;
  for (const item of items) {
    const isSignature = item.kind === "fns" && SIGNATURE.test(item.text);
    const names = item.kind === "fns" ? namesOf(item.text) : [];
    if (!isSignature && last !== undefined && names.some((name) => last?.names.includes(name))) {
      last.item.endRow = item.endRow;
      continue;
    }
    const kept = { ...item };
    last = item.kind === "fns" ? { item: kept, names } : undefined;
    shaped.push(kept);
  }
  return shaped;
}

const SIGNATURE = /^[^=|]*?\s::\s/;

/** Of `a, b :: T`, `f x`, `(<+>) a b`, `a <+> b` and `` a `f` b ``. */
function namesOf(text: string): string[] {
  if (SIGNATURE.test(text)) return (text.split("::")[0] ?? "").split(",").map((name) => name.replace(/[()\s]/g, ""));
  const [, prefix, infix] =
    /^(?:([a-z_][\w']*|\([^\w\s()]+\))(?=\s*$|\s+[^\s`!-/:-@^|~\\]|\s+[([{_"'!~])|\S.*?\s(`[\w']+`|[!#$%&*+./<=>?@^|~:\\-]+)(?=\s))/s.exec(text) ??
    [];
  return [(prefix ?? infix ?? text).replace(/[()`]/g, "")];
}

/** `import qualified Data.Map as Map (a, b)`. */
function imported(text: string): Import[] {
  const [, module = "", alias] = /^import\s+(?:safe\s+|qualified\s+|"[^"]*"\s+)*([\w.']+)(?:\s+qualified)?(?:\s+as\s+([\w.]+))?/.exec(text) ?? [];
  const parts = module.split(".");
  return [{ path: alias === undefined ? parts : [...parts.slice(0, -1), `${parts.at(-1)} as ${alias}`] }];
}
