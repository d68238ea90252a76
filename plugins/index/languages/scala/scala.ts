import type { Import, Language } from "../../language.ts";
import { leading } from "../../leading.ts";
import query from "./query.scm";

export const scala: Language = {
  name: "Scala",
  grammar: "scala",
  query,
  extensions: ["scala", "sc", "sbt"],
  shebang: /^(?:scala|scala-cli|amm)$/,
  strip: {
    mod: /^package\s+/,
    fns: leading("def"),
    method: leading("def"),
    classes: leading("class"),
    traits: leading("trait"),
    consts: leading("val"),
  },
  imports: { separator: ".", read: imported },
};

/** `import a.b.{C, D => E}, f._`. */
function imported(text: string): Import[] {
  return split(text.replace(/^import\s+/, "")).flatMap((expression) => {
    const [, base = "", names] = /^(.*?)\.?\s*(?:\{([\s\S]*)\})?$/.exec(expression) ?? [];
    const parts = base.split(".");
    return names === undefined ? [{ path: parts }] : split(names).map((name) => ({ path: [...parts, name.replace(/\s+/g, " ")] }));
  });
}

/** At commas that are in no braces. */
function split(text: string): string[] {
  return text
    .split(/,(?![^{]*\})/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
