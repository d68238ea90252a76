import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const python: Language = {
  name: "Python",
  grammar: "python",
  query,
  depth: 12,
  extensions: ["py", "pyi", "pyw"],
  fileNames: /^(?:SConstruct|SConscript|wscript)$/,
  shebang: /^python[\d.]*$/,
  strip: { fns: /\bdef\s+/, method: /\bdef\s+/, classes: /^class\s+/, types: /^type\s+/ },
  imports: { separator: ".", read: imported },
};

/** `import a.b, c as d`, `from a import (b, c as d)`. */
function imported(text: string): Import[] {
  const from = /^from\s+(\.*)\s*(\S*)\s+import\s+(.*)$/.exec(text);
  if (from === null) return list(text.replace(/^import\s+/, "")).map((name) => ({ path: parts(name) }));
  const [, dots = "", module = "", names = ""] = from;
  const base = module === "" ? [] : module.split(".");
  return list(names.replace(/[()]/g, "")).map((name) => {
    const [first = "", ...rest] = [...base, name];
    return { path: [dots + first, ...rest] };
  });
}

function list(text: string): string[] {
  return text
    .replace(/#[^,]*/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** An alias stays with the last part. */
function parts(name: string): string[] {
  const [path = "", alias] = name.split(/\s+as\s+/);
  const names = path.split(".");
  return alias === undefined ? names : [...names.slice(0, -1), `${names.at(-1)} as ${alias}`];
}
