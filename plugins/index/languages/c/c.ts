import type { Import, Language } from "../../language.ts";
import query from "./query.scm";

export const c: Language = {
  name: "C",
  grammar: "c",
  query,
  extensions: ["c", "h"],
  strip: { consts: /^#\s*define\s+/, macros: /^#\s*define\s+/ },
  imports: { separator: "/", read: included },
};

/** `#include <a/b.h>`; what is quoted stays so, since that says where the file is looked for. */
export function included(text: string): Import[] {
  const [, open = "", path = ""] = /^#\s*(?:include|import)\s*(["<]?)(.*?)[">]?\s*$/.exec(text) ?? [];
  return [{ path: open === '"' ? [`"${path}"`] : path.split("/") }];
}
