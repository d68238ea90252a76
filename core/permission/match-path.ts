import { basename, dirname, sep } from "node:path";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { PathPattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";

/** Whether a path scope, which is canonical, is what the pattern is about. */
export function matchPath(pattern: PathPattern | undefined, scope: Scope, broad: boolean): boolean {
  if (pattern === undefined) return false;
  if (!broad && scope.shell && pattern.how !== "below" && pattern.how !== "inside") return false;
  return isAbout(pattern, scope.text);
}

export function isAbout(pattern: PathPattern, path: string): boolean {
  switch (pattern.how) {
    case "below":
      return isInside(path, pattern.folder);
    case "inside":
      return path !== pattern.folder && isInside(path, pattern.folder);
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
