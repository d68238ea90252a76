import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

/** Functions are listed by their signatures: what each equation matches says less. */
export const haskell: Language = {
  name: "Haskell",
  grammar: "haskell",
  query,
  extensions: ["hs", "hsc"],
  shebang: /^(?:runghc|runhaskell|stack|cabal)$/,
  strip: { traits: /^class\s+/, impls: /^instance\s+/ },
  line: (text, kind) => (kind === "mod" ? text.replace(/^module\s+(\S+)[\s\S]*$/, "$1") : text.replace(/\s+where$/, "")),
  imports: { separator: ".", read: imported },
};

/** `import qualified Data.Map as Map (a, b)`. */
function imported(text: string): Import[] {
  const [, module = "", alias] = /^import\s+(?:safe\s+|qualified\s+|"[^"]*"\s+)*([\w.']+)(?:\s+qualified)?(?:\s+as\s+([\w.]+))?/.exec(text) ?? [];
  const parts = module.split(".");
  return [{ path: alias === undefined ? parts : [...parts.slice(0, -1), `${parts.at(-1)} as ${alias}`] }];
}
