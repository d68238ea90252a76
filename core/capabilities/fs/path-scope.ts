import { relative, sep } from "node:path";
import { canonicalPath } from "./canonical-path.ts";
import { createGlob, splitGlob } from "./glob.ts";

/**
 * Whether a canonical path is inside the scopes of a grant. A scope is a file, a folder with `/**` behind it, or a glob;
 * relative ones are about the project. The part before the first glob character is made canonical too.
 */
export async function pathAllowed(canonical: string, scopes: true | readonly string[], project: string): Promise<boolean> {
  if (scopes === true) return true;
  for (const scope of scopes) if (await covers(scope, canonical, project)) return true;
  return false;
}

/** Whether a path is a folder or below it. Both canonical. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function covers(scope: string, canonical: string, project: string): Promise<boolean> {
  const { folder, glob } = splitGlob(scope);
  if (folder === "" && glob === "") return false;
  const base = await canonicalPath(folder === "" ? "." : folder, project).catch(() => undefined);
  if (base === undefined) return false;
  if (glob === "") return canonical === base;
  if (glob === "**") return isInside(canonical, base);
  // A `..` in the glob matches nothing, since what is compared is canonical.
  return canonical !== base && isInside(canonical, base) && createGlob(glob)(relative(base, canonical).split(sep).join("/"));
}
