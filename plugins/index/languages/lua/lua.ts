import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const lua: Language = {
  name: "Lua",
  grammar: "lua",
  query,
  extensions: ["lua", "rockspec"],
  shebang: /^(?:lua[\d.]*|luajit|texlua)$/,
  strip: { fns: /\bfunction\s+/, consts: /^local\s+/ },
  line: (text, kind) => (kind === "fns" || kind === "method" ? text.replace(/\s+end$/, "").replace(/\s+\(/, "(") : text),
  imports: { separator: ".", read: imported },
};

/** `local http = require("socket.http")`. */
function imported(text: string): Import[] {
  const [, path = text] = /require\s*\(?\s*(?:["']|\[\[)([^"'\]]*)/.exec(text) ?? [];
  return [{ path: path.split(".") }];
}
