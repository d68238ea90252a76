import { canonicalPath } from "../capabilities/fs/canonical-path.ts";
import type { Rule } from "./permission.ts";

/** A rule made ready for matching. */
export type Pattern = {
  rule: Rule;
  /** It matches every scope of its tool. */
  universal: boolean;
  /** Words, and whether more may follow; `open` is what the last word begins with. */
  words: { fixed: readonly string[]; open: string | undefined; more: boolean };
  /** The canonical path it is about, where it can be one. */
  path: PathPattern | undefined;
};

/**
 * `below`: the folder and all in it. `inside`: all in it. `begins`: paths in the folder that begin with `name`. `exact`: itself.
 */
export type PathPattern = { folder: string; how: "below" | "inside" | "exact" } | { folder: string; how: "begins"; name: string };

/** Reads a rule's pattern. Relative paths are about the project; links are followed before `..`. */
export async function readPattern(rule: Rule, project: string): Promise<Pattern> {
  const text = rule.pattern?.trim();
  const universal = text === undefined || text === "*" || text === "**";
  return {
    rule,
    universal,
    words: wordsOf(text ?? ""),
    path: universal ? undefined : await pathOf(text, project, rule.effect),
  };
}

function wordsOf(text: string): Pattern["words"] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const last = words.at(-1);
  if (last === "*") return { fixed: words.slice(0, -1), open: undefined, more: true };
  if (last?.endsWith("*")) return { fixed: words.slice(0, -1), open: last.slice(0, -1), more: true };
  return { fixed: words, open: undefined, more: false };
}

async function pathOf(text: string, project: string, effect: Rule["effect"]): Promise<PathPattern | undefined> {
  if (text === "" || text.endsWith(" *") || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined;
  const canonical = (path: string) => canonicalPath(path === "" ? "/" : path, project);
  try {
    if (text.endsWith("/**")) return { folder: await canonical(text.slice(0, -3)), how: "below" };
    if (text.endsWith("/*")) return { folder: await canonical(text.slice(0, -2)), how: "inside" };
    if (!text.endsWith("*")) return { folder: await canonical(text), how: "exact" };
    const cut = text.lastIndexOf("/") + 1;
    return { folder: await canonical(cut === 0 ? "." : text.slice(0, cut)), how: "begins", name: text.slice(cut, -1) };
  } catch {
    // What cannot be resolved allows nothing, and denies what is written like it.
    return effect === "allow" ? undefined : { folder: text.replace(/\/?\*+$/, ""), how: "below" };
  }
}
