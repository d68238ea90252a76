import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { absolutePath } from "../capabilities/fs/canonical-path.ts";

/**
 * Canonical paths for one decision, in which a thousand names may lie in a few folders: what was looked up once is not looked up again.
 * A path that cannot be resolved is undefined.
 */
export type RealPaths = (path: string, cwd: string) => string | undefined;

const MAX_LINKS = 40;
const separators = sep === "\\" ? /[\\/]/ : /\//;

/** Links are followed before `..` goes up, dangling ones too, and what does not exist is taken as it is written. */
export function createRealPaths(): RealPaths {
  const targets = new Map<string, string | null | undefined>();
  const known = new Map<string, string | undefined>();

  function resolve(absolute: string): string | undefined {
    const { root } = parse(absolute);
    const pending = absolute.slice(root.length).split(separators).reverse();
    let current = root;
    let links = 0;
    while (pending.length > 0) {
      const part = pending.pop()!;
      if (part === "" || part === ".") continue;
      if (part === "..") {
        current = dirname(current);
        continue;
      }
      const next = current === root ? root + part : current + sep + part;
      const target = targetOf(next);
      if (target === undefined) return undefined;
      if (target === null) {
        current = next;
        continue;
      }
      if (++links > MAX_LINKS) return undefined;
      if (isAbsolute(target)) current = parse(target).root;
      pending.push(
        ...target
          .slice(isAbsolute(target) ? current.length : 0)
          .split(separators)
          .reverse(),
      );
    }
    return current;
  }

  /** Null where it is no link, undefined where nobody can tell. */
  function targetOf(path: string): string | null | undefined {
    if (targets.has(path)) return targets.get(path);
    const target = readTarget(path);
    targets.set(path, target);
    return target;
  }

  return (path, cwd) => {
    const absolute = absolutePath(path, cwd);
    if (known.has(absolute)) return known.get(absolute);
    const real = absolute.includes("\0") || absolute.length > MAX_LENGTH ? undefined : resolve(absolute);
    known.set(absolute, real);
    return real;
  };
}

const MAX_LENGTH = 65_536;

function readTarget(path: string): string | null | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // A name that is too long for the system is no link; EINVAL: it stopped being one in between.
    return code === "ENOENT" || code === "ENOTDIR" || code === "EINVAL" || code === "ENAMETOOLONG" ? null : undefined;
  }
}

/** Whether names that differ in case alone are one file in a folder that is there. */
export function ignoresCase(folder: string): boolean {
  const name = folder.slice(folder.lastIndexOf(sep) + 1);
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name) return dirname(folder) !== folder && ignoresCase(dirname(folder));
  try {
    const [own, swapped] = [folder, join(dirname(folder), other)].map((path) => lstatSync(path));
    return own!.ino === swapped!.ino && own!.dev === swapped!.dev;
  } catch {
    return false;
  }
}
