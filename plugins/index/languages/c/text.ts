import type { Import, Language } from "../../language.ts";

export const strip: NonNullable<Language["strip"]> = { consts: /^#\s*define\s+/, macros: /^#\s*define\s+/ };

/** `#include <a/b.h>`; what is quoted stays so, since that says where the file is looked for. */
export function included(text: string): Import[] {
  const [, open = "", path = ""] = /^#\s*(?:include|include_next|import)\s*(["<]?)(.*?)[">]?(?:\s*\/[/*].*)?$/.exec(text) ?? [];
  return [{ path: open === '"' ? [`"${path}"`] : path.split("/") }];
}

/** What a macro is given. */
const given = "\\((?:[^()\\n]|\\([^()\\n]*\\))*\\)";

/**
 * Lines that are a macro and nothing else, but for those that a body follows; outermost statements that are one; one behind the parameters of a
 * function, or of those that say what a member is guarded by; and the attributes that compilers know.
 */
export const mend = [
  "^[ \\t]*[A-Z][A-Z0-9_]*(?:\\([^()\\n]*\\))?[ \\t]*$(?!\\s*\\{)",
  `^[A-Z][A-Z0-9_]*${given}[ \\t]*;[ \\t]*$`,
  `\\b(?=[A-Z])(?<=\\)\\s*(?:(?:const|override|noexcept)\\s+)*)[A-Z][A-Z0-9_]*${given}(?=\\s*[;{])`,
  `\\b(?=[A-Z])(?<=\\w[ \\t]+)[A-Z_]*(?:GUARDED|LOCK|REQUIRE|ALIGN)[A-Z_]*${given}(?=\\s*[;{])`,
  `\\b__(?:attribute|declspec|asm)(?:__)?[ \\t]*${given}`,
].join("|");

/** A parenthesis or a name of a macro in a statement: of real files with so little that is wrong all but a few are listed whole. */
export const overlooked = 10;

/** A macro alone in its line behind the end of something outermost. */
export const mask = "(?<=^\\}[ \\t]*\\r?\\n)[A-Z][A-Z0-9_]*[ \\t]*$";

/** The same, and a macro between `class` and the name. */
export const maskCpp = `${mask}|(?<=\\b(?:class|struct|union|enum)[ \\t]+)[A-Z][A-Z0-9_]*(?:\\([^()\\n]*\\))?(?=\\s+[A-Za-z_][\\w:]*\\s*(?:final\\s*)?[:{])`;
