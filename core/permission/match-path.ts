import { basename, dirname, sep } from "node:path";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { PathPattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";

/** Whether a path scope, which is canonical, is what the pattern is about; `maybe` where what lies below may be meant. */
export function matchPath(pattern: PathPattern | undefined, scope: Scope, broad: boolean, fold: (path: string) => string): "yes" | "maybe" | "no" {
  if (pattern === undefined || scope.unknown) return "no";
  const folder = pattern.how === "below" || pattern.how === "inside" || pattern.how === "glob";
  // A rule's text may name a command too, so for what a command opens a pattern must say that it is about files.
  if (!broad && scope.shell && !folder) return "no";
  const path = fold(scope.text);
  if (isAbout(pattern, path)) return "yes";
  if (scope.below && pattern.how === "inside" && path === pattern.folder) return "yes";
  return broad && scope.below && mayLieBelow(pattern, path) ? "maybe" : "no";
}

/** Whether something that the pattern is about may lie below a folder. */
export function mayLieBelow(pattern: PathPattern, path: string): boolean {
  return isInside(pattern.folder, path) || (pattern.how === "glob" && isInside(path, pattern.folder));
}

export function isAbout(pattern: PathPattern, path: string): boolean {
  switch (pattern.how) {
    case "below":
      return isInside(path, pattern.folder);
    case "inside":
      return path !== pattern.folder && isInside(path, pattern.folder);
    case "glob":
      return pattern.fits(path);
    case "exact":
      return path === pattern.folder;
    case "begins":
      return path !== pattern.folder && isInside(path, pattern.folder) && entryIn(path, pattern.folder).startsWith(pattern.name);
  }
}

/** The name of the entry of `folder` that leads to `path`. */
function entryIn(path: string, folder: string): string {
  let entry = path;
  while (dirname(entry) !== folder && entry.includes(sep) && dirname(entry) !== entry) entry = dirname(entry);
  return basename(entry);
}
