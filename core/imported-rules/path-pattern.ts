import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Effect } from "../permission/permission.ts";

/** Patterns of this host that together are what one of another agent's is, or why there are none. */
export type PathPatterns = { patterns: string[] } | { why: string };

export type PathPlace = {
  effect: Effect;
  /** The project's folder, where relative patterns begin. */
  root: string;
  /** What a pattern that begins with `/` is about. */
  slash: string;
};

/**
 * A pattern as in .gitignore: `//x` absolute, `~/x`, `/x` from the settings' folder, `x/y` from the project's, and a name alone at any depth.
 * A folder stands for all in it: what denies or asks keeps that, what allows is taken for the path itself.
 */
export async function gitignorePattern(text: string, place: PathPlace): Promise<PathPatterns> {
  if (/[[\]{}?!\\]/.test(text)) return { why: "only * stands for something in a path here" };
  const path = text.startsWith("//")
    ? text.slice(1)
    : text.startsWith("/")
      ? place.slash === place.root
        ? text.slice(1)
        : join(place.slash, text)
      : /^(~|\.{1,2})\//.test(text)
        ? text.replace(/^\.\//, "")
        : text.replace(/\/$/, "").includes("/")
          ? text
          : `**/${text}`;
  if (path === "" || text.trim() === "") return { why: "it names no file" };
  return { patterns: await withFolder(path.replace(/(?<=.)\/$/, "/**"), place) };
}

/** A pattern where `*` stands for any text, slashes too, and `?` for one character. */
export async function globPattern(text: string, place: PathPlace): Promise<PathPatterns> {
  if (/[?[\]{}\\]/.test(text)) return { why: "only * stands for something in a path here" };
  const path = text.replace(/^\$HOME(?=\/|$)/, "~").replace(/^\.\//, "");
  if (path === "") return { why: "it names no file" };
  const parts = path.replace(/\/\*+$/, "").split("/");
  // A star crosses folders there: below any of them.
  const crossing = parts.map((part) => (/\*/.test(part) && !/^\*+$/.test(part) ? `**/${part}` : part)).join("/");
  const tail = /\/\*+$/.test(path) ? "/**" : "";
  return { patterns: await withFolder(`${crossing.replace(/(\*\*\/)+/g, "**/")}${tail}`, place) };
}

/** What denies or asks is about a folder and all in it, unless it is known to be a file. */
async function withFolder(path: string, { effect, root }: PathPlace): Promise<string[]> {
  // Stars alone are everywhere here, and all of the folder there.
  if (/^\*+(?:\/\*+)*$/.test(path)) return ["./**"];
  if (effect === "allow" || path.endsWith("*")) return [path];
  const there = path.includes("*") ? undefined : await stat(resolve(root, path.replace(/^~(?=\/|$)/, homedir()))).catch(() => undefined);
  return [there?.isFile() ? path : `${path}/**`];
}
