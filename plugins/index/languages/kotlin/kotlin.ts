import type { Import, Language } from "../../language.ts";
import { leading } from "../../leading.ts";
import query from "./query.scm";

export const kotlin: Language = {
  name: "Kotlin",
  grammar: "kotlin",
  query,
  extensions: ["kt", "kts"],
  strip: {
    mod: /^package\s+/,
    fns: leading("fun"),
    method: leading("fun"),
    classes: leading("class"),
    traits: leading("interface"),
    types: leading("class"),
    consts: leading("val"),
  },
  imports: { separator: ".", read: imported },
};

/** `import a.b.C as D`. */
function imported(text: string): Import[] {
  const [, path = "", alias] = /^import\s+(\S+)(?:\s+as\s+(\S+))?/.exec(text) ?? [];
  const parts = path.replace(/;$/, "").split(".");
  return [{ path: alias === undefined ? parts : [...parts.slice(0, -1), `${parts.at(-1)} as ${alias}`] }];
}
