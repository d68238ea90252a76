import { homedir } from "node:os";
import { isPathGlob, type PathGlob, pathGlob } from "./path-glob.ts";
import type { Rule } from "./permission.ts";
import type { RealPaths } from "./real-paths.ts";

/** A rule made ready for matching. */
export type Pattern = {
  rule: Rule;
  text: string;
  /** It matches every scope of its tool. */
  universal: boolean;
  words: readonly WordPattern[];
  /** More words may follow. */
  more: boolean;
  /** Whether it can be about files. */
  pathlike: boolean;
  /** Whether the words of commands are read as the files that it is about. */
  amongWords: boolean;
};

/** A word of a pattern: itself, what a word begins with, or any words. */
export type WordPattern = { word: string } | { begins: string } | { any: true };

/**
 * `below`: the folder and all in it. `inside`: all in it. `begins`: paths in the folder that begin with `name`. `exact`: itself.
 */
export type PathPattern = { folder: string; how: "below" | "inside" | "exact" } | { folder: string; how: "begins"; name: string } | PathGlob;

/** What a path pattern needs to be read: relative ones are about the project. */
export type Grounds = {
  /** Absolute. */
  project: string;
  real: RealPaths;
  /** Makes paths alike that are one file. */
  fold(path: string): string;
};

const read = new WeakMap<Rule, Pattern>();

/** Reads a rule's pattern. */
export function readPattern(rule: Rule): Pattern {
  const known = read.get(rule);
  if (known !== undefined && known.text === (rule.pattern?.trim() ?? "*")) return known;
  const text = rule.pattern?.trim() ?? "*";
  const words = text.split(/\s+/).filter((word) => word !== "");
  const pattern: Pattern = {
    rule,
    text,
    universal: text === "*" || text === "**",
    words: words.map(wordPattern).filter((word, at, all) => !("any" in word && at === all.length - 1)),
    more: words.at(-1)?.endsWith("*") === true,
    pathlike: isPathlike(text),
    amongWords: rule.effect !== "allow" && isPathlike(text) && (!/\s/.test(text) || /[/~]/.test(text)),
  };
  read.set(rule, pattern);
  return pattern;
}

function isPathlike(text: string): boolean {
  return text !== "" && !text.endsWith(" *") && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function wordPattern(word: string): WordPattern {
  if (/^\*+$/.test(word)) return { any: true };
  return word.endsWith("*") ? { begins: word.replace(/\*+$/, "") } : { word };
}

/** The paths that a pattern is about, canonical: links are followed before `..`. Undefined where it can be about none. */
export function readPath({ text, rule, universal, pathlike }: Pattern, { project, real, fold }: Grounds): PathPattern | undefined {
  if (universal || !pathlike) return undefined;
  const broad = rule.effect !== "allow";
  const own = inProject(text.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, homedir()), project);
  const canonical = (path: string) => {
    const found = real(path === "" ? "/" : path, project);
    return found === undefined ? undefined : fold(found);
  };
  const glob = isPathGlob(own) ? own : broad ? asGlob(own) : undefined;
  if (glob !== undefined) return pathGlob(glob, canonical, fold) ?? unresolved(own, rule);
  const [cut, how] = endOf(own, broad);
  if (how === "exact" && own.endsWith("*")) {
    const slash = own.lastIndexOf("/") + 1;
    const folder = canonical(slash === 0 ? "." : own.slice(0, slash));
    return folder === undefined ? unresolved(own, rule) : { folder, how: "begins", name: fold(own.slice(slash).replace(/\*+$/, "")) };
  }
  const folder = canonical(own.slice(0, cut));
  return folder === undefined ? unresolved(own, rule) : { folder, how };
}

/** A project whose name has a star in it is no pattern. */
function inProject(text: string, project: string): string {
  return project.includes("*") && text.startsWith(`${project}/`) ? `.${text.slice(project.length)}` : text;
}

/** Alternatives and the like without a star: what denies or asks takes them for what they may mean, and for what they spell. */
function asGlob(text: string): string | undefined {
  if (!/[?[{]/.test(text) || /\s/.test(text)) return undefined;
  if (/\/\*+$/.test(text)) return text.replace(/\*+$/, "**");
  return /[*/]$/.test(text) ? `${text.replace(/\/$/, "")}/**` : text;
}

/** A slash at the end names a folder, which what denies or asks takes with all in it. */
function endOf(text: string, broad: boolean): [cut: number, how: "below" | "inside" | "exact"] {
  if (text.endsWith("/**")) return [-3, "below"];
  if (text.endsWith("/*")) return [-2, "inside"];
  return broad && /[^/]\/$/.test(text) ? [-1, "below"] : [text.length, "exact"];
}

/** What cannot be resolved allows nothing, and denies what is written like it. */
function unresolved(text: string, rule: Rule): PathPattern | undefined {
  return rule.effect === "allow" ? undefined : { folder: text.replace(/\/?\*+$/, ""), how: "below" };
}
