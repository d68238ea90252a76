import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const cSharp: Language = {
  name: "C#",
  grammar: "c_sharp",
  query,
  extensions: ["cs", "csx"],
  strip: { mod: /^namespace\s+/, classes: /\bclass\s+/, traits: /\binterface\s+/ },
  imports: { separator: ".", read: imported },
};

/** `global using static A.B;`, `using X = A.B;` */
function imported(text: string): Import[] {
  const [, global, fixed, path = ""] = /^(global\s+)?(?:using|extern\s+alias)\s+(static\s+)?(.*?)\s*;?$/.exec(text) ?? [];
  const keyword = [global, fixed].map((word) => word?.trim()).filter((word) => word !== undefined);
  return [{ ...(keyword.length === 0 ? {} : { keyword: keyword.join(" ") }), path: path.includes("=") ? [path] : path.split(".") }];
}
