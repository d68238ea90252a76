import type { Import, Language } from "../../language.ts";

export const strip: NonNullable<Language["strip"]> = { consts: /^#\s*define\s+/, macros: /^#\s*define\s+/ };

/** `#include <a/b.h>`; what is quoted stays so, since that says where the file is looked for. */
export function included(text: string): Import[] {
  const [, open = "", path = ""] = /^#\s*(?:include|include_next|import)\s*(["<]?)(.*?)[">]?(?:\s*\/[/*].*)?$/.exec(text) ?? [];
  return [{ path: open === '"' ? [`"${path}"`] : path.split("/") }];
}

/** Lines that are a macro and nothing else, but for those that a body follows; and the attributes that compilers know. */
export const mend =
  "^[ \\t]*[A-Z][A-Z0-9_]*(?:\\([^()\\n]*\\))?[ \\t]*$(?!\\s*\\{)|\\b__(?:attribute|declspec|asm)(?:__)?[ \\t]*\\((?:[^()\\n]|\\([^()\\n]*\\))*\\)";

/** A macro between `class` and the name. */
export const mask = "(?<=\\b(?:class|struct|union|enum)[ \\t]+)[A-Z][A-Z0-9_]*(?:\\([^()\\n]*\\))?(?=\\s+[A-Za-z_][\\w:]*\\s*(?:final\\s*)?[:{])";
