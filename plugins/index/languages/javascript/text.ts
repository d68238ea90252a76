import type { Language } from "../../language.ts";
import { leading } from "../../leading.ts";

/** What a section says already. */
export const strip: NonNullable<Language["strip"]> = {
  import: /^(?:import|const|let|var)\s+/,
  exports: /^export\s+/,
  consts: leading("const"),
  fns: leading("const|let|var"),
  classes: /\bclass\b\s*/,
  mod: /\b(?:namespace|module)\s+/,
};

/** A function in a variable reads like one that is declared. */
export function line(text: string, kind: string): string {
  return kind === "fns" || kind === "method" ? text.replace(/(\b|[ =*])function\b\s*/, "$1").replace(/\s*=>$/, "") : text;
}
