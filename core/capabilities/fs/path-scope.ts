import { relative, sep } from "node:path";
import { canonicalPath } from "./canonical-path.ts";
import { createGlob, splitGlob } from "./glob.ts";

/** A scope of a grant, made ready for many paths. Paths are canonical. */
export type PathScope = {
  /** What stands before the first glob character. */
  base: string;
  /** Whether what is below the base may be covered too. */
  below: boolean;
  covers(canonical: string): boolean;
};

/**
 * Whether a canonical path is inside the scopes of a grant. A scope is a file, a folder with `/**` behind it, or a glob;
 * relative ones are about the project. The part before the first glob character is made canonical too.
 */
export async function pathAllowed(canonical: string, scopes: true | readonly string[], project: string): Promise<boolean> {
  if (scopes === true) return true;
  for (const scope of scopes) if ((await readScope(scope, project))?.covers(canonical)) return true;
  return false;
}

/** Reads the scopes of a grant once. One that cannot be resolved covers nothing. */
export async function readScopes(scopes: readonly string[], project: string): Promise<PathScope[]> {
  return (await Promise.all(scopes.map((scope) => readScope(scope, project)))).filter((scope) => scope !== undefined);
}

/** Whether a path is a folder or below it. Both canonical. */
export function isInside(path: string, folder: string): boolean {
  return insideOf(folder)(path);
}

/** The same, made ready for many paths. */
export function insideOf(folder: string): (path: string) => boolean {
  const prefix = folder.endsWith(sep) ? folder : folder + sep;
  return (path) => path.startsWith(prefix) || path === folder;
}

async function readScope(scope: string, project: string): Promise<PathScope | undefined> {
  const { folder, glob } = splitGlob(scope);
  if (folder === "" && glob === "") return undefined;
  const base = await canonicalPath(folder === "" ? "." : folder, project).catch(() => undefined);
  if (base === undefined) return undefined;
  if (glob === "") return { base, below: false, covers: (canonical) => canonical === base };
  if (glob === "**") return { base, below: true, covers: insideOf(base) };
  const fits = createGlob(glob);
  // A `..` in the glob matches nothing, since what is compared is canonical.
  const covers = (canonical: string) => canonical !== base && isInside(canonical, base) && fits(relative(base, canonical).split(sep).join("/"));
  return { base, below: true, covers };
}
