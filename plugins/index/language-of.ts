import type { Language } from "./language.ts";
import { languages } from "./languages/languages.ts";

const named = languages.filter(({ fileNames }) => fileNames !== undefined);
const byExtension = new Map<string, Language>();
for (const language of languages) for (const extension of language.extensions) byExtension.set(extension, language);

/** By the file's whole name, then by its ending, then by the program that its first line names. */
export function languageOf(path: string, firstLine = ""): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const own = named.find(({ fileNames }) => fileNames?.test(name));
  if (own !== undefined) return own;
  const dot = name.lastIndexOf(".");
  const known = dot > 0 ? byExtension.get(name.slice(dot + 1).toLowerCase()) : undefined;
  if (known !== undefined) return known;
  const program = /^#!\s*(?:\S*\/)?(\S+)(?:\s+(?:-\S+\s+)*(\S+))?/.exec(firstLine);
  const run = program?.[1] === "env" ? program[2] : program?.[1];
  return run === undefined ? undefined : languages.find(({ shebang }) => shebang?.test(run));
}
