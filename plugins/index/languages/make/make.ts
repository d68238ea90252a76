import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const make: Language = {
  name: "Make",
  grammar: "make",
  query,
  extensions: ["mk", "mak"],
  fileNames: /^(?:GNU|BSD)?[Mm]akefile(?:\..*)?$/,
  shebang: /^make$/,
  strip: { macros: /^define\s+/ },
  line: (text, kind) => (kind === "targets" ? text.replace(/\s*(?:#|;|\\?\n)[\s\S]*$/, "") : text.replace(/ \\ /g, " ")),
  longest: { targets: 80 },
  imports: { separator: " ", read: imported },
};

/** `-include a.mk b.mk`. */
function imported(text: string): Import[] {
  const [, keyword = "", files = ""] = /^(-?s?include)\s+([\s\S]*)$/.exec(text.trim()) ?? [];
  return files
    .split(/\s+/)
    .filter((file) => file !== "" && file !== "\\")
    .map((file) => ({ ...(keyword === "include" ? {} : { keyword }), path: [file] }));
}
