import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { createGlob } from "../fs/glob.ts";
import { openFile } from "../fs/opened.ts";

/** What the rules of one folder say about something below it: a path relative to it. Undefined where they say nothing. */
export type IgnoreRules = { folder: string; ignores(path: string, isFolder: boolean): boolean | undefined };

const MAX_BYTES = 1024 * 1024;
/** The later ones count more. */
const names = [".git/info/exclude", ".gitignore", ".ignore"];

/** The rules that count in a folder because of those above it, the nearest last. A repository begins anew. */
export async function rulesAbove(folder: string): Promise<IgnoreRules[]> {
  const rules: IgnoreRules[] = [];
  for (let at = folder; !(await isRepository(at)) && dirname(at) !== at; ) {
    at = dirname(at);
    rules.unshift(await rulesOf(at));
  }
  return rules;
}

/** A folder's own rules. */
export async function rulesOf(folder: string): Promise<IgnoreRules> {
  const texts = await Promise.all(names.map((name) => textOf(join(folder, name))));
  const rules = texts.flatMap((text) => text.split("\n").flatMap((line) => readRule(line) ?? []));
  return {
    folder,
    ignores: (path, isFolder) => rules.findLast((rule) => (isFolder || !rule.foldersOnly) && rule.fits(path))?.ignores,
  };
}

/** Whether something is ignored, by all rules that count where it lies. */
export function isIgnored(canonical: string, isFolder: boolean, rules: readonly IgnoreRules[]): boolean {
  for (const { folder, ignores } of rules.toReversed()) {
    const said = ignores(relative(folder, canonical).split(sep).join("/"), isFolder);
    if (said !== undefined) return said;
  }
  return false;
}

type Rule = { ignores: boolean; foldersOnly: boolean; fits(path: string): boolean };

/** One line as git reads it. */
export function readRule(line: string): Rule | undefined {
  let text = line.replace(/\r$/, "").replace(/(?<!\\)\s+$/, "");
  if (text === "" || text.startsWith("#")) return undefined;
  const ignores = !text.startsWith("!");
  if (!ignores) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.replace(/\/+$/, "");
  const anchored = text.includes("/");
  // A character behind a backslash is meant as it is; a star for all below does not mean the folder itself.
  const glob = text
    .replace(/^\//, "")
    .replace(/\\(.)/g, "[$1]")
    .replace(/\/\*\*$/, "/**/*");
  if (glob === "") return undefined;
  try {
    return { ignores, foldersOnly, fits: createGlob(anchored ? glob : `**/${glob}`) };
  } catch {
    return undefined;
  }
}

async function isRepository(folder: string): Promise<boolean> {
  return openable(join(folder, ".git/HEAD")).then((is) => is || openable(join(folder, ".git")));
}

async function openable(path: string): Promise<boolean> {
  try {
    await (await openFile(path)).file.close();
    return true;
  } catch {
    return false;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    const { file, bytes } = await openFile(path);
    try {
      return bytes > MAX_BYTES ? "" : await readFile(file, "utf8");
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
