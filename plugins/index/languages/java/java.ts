import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const java: Language = {
  name: "Java",
  grammar: "java",
  query,
  extensions: ["java"],
  strip: { mod: /^package\s+/, classes: /\bclass\s+/, traits: /\binterface\s+/ },
  imports: { separator: ".", read: imported },
};

/** `import static a.b.C.*;` */
function imported(text: string): Import[] {
  const [, fixed, path = ""] = /^import\s+(static\s+)?(.*?)\s*;?$/.exec(text) ?? [];
  return [{ ...(fixed === undefined ? {} : { keyword: "static" }), path: path.split(".").map((part) => part.trim()) }];
}
