import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { absolutePath } from "../capabilities/fs/canonical-path.ts";

/**
 * Canonical paths for one decision, in which a thousand names may lie in a few folders: what was looked up once is not looked up again.
 * A path that cannot be resolved is undefined.
 */
export type RealPaths = {
  (path: string, cwd: string): string | undefined;
  /** Whether something is at a canonical path. */
  exists(path: string): boolean;
};

const MAX_LINKS = 40;
const MAX_LENGTH = 65_536;

/** Where some folders lead, as far as they were looked up. */
export type LookedUp = { has(path: string): boolean; get(path: string): string | undefined };

/**
 * Where some folders lead, looked up once for all decisions of one turn of the event loop, each when it is first asked for:
 * many calls at once ask for the same ones. The next turn looks anew, since folders come and go.
 */
export function lookedUpOnce(folders: readonly string[]): () => LookedUp {
  const named = new Set(folders.map((folder) => absolutePath(folder, "/")));
  let looked: LookedUp | undefined;
  return () => {
    if (looked === undefined) {
      const real = createRealPaths();
      looked = { has: (path) => named.has(path), get: (path) => real(path, "/") };
      setImmediate(() => {
        looked = undefined;
      });
    }
    return looked;
  };
}

/** Links are followed before `..` goes up, dangling ones too, and what does not exist is taken as it is written. */
export function createRealPaths(looked: LookedUp = nothing): RealPaths {
  const entries = new Map<string, Entry>();
  const known = new Map<string, string | undefined>();

  function entryAt(path: string): Entry {
    const before = entries.get(path);
    if (before !== undefined) return before;
    const found = look(path);
    entries.set(path, found);
    return found;
  }

  /** Where `rest` leads from a canonical folder. `links` counts those that were followed. */
  function follow(folder: string, rest: string, links: { left: number }): string | undefined {
    let current = folder;
    for (let at = 0; at < rest.length; ) {
      const end = nextSeparator(rest, at);
      const part = rest.slice(at, end);
      at = end + 1;
      if (part === "" || part === ".") continue;
      if (part === "..") {
        current = dirname(current);
        continue;
      }
      const next = current.endsWith(sep) ? current + part : current + sep + part;
      const entry = entryAt(next);
      if (entry === "unknown") return undefined;
      if (typeof entry === "string") {
        current = next;
        continue;
      }
      if (links.left-- === 0) return undefined;
      const { target } = entry;
      const { root } = parse(target);
      const reached = follow(isAbsolute(target) ? root : current, isAbsolute(target) ? target.slice(root.length) : target, links);
      if (reached === undefined) return undefined;
      current = reached;
    }
    return current;
  }

  /** Whether something is there and no link on the way: one question to the system instead of one for each part, where its folder was not looked up yet. */
  function isPlain(absolute: string): boolean {
    if (entries.has(dirname(absolute)) || (entries.get(absolute) ?? "there") !== "there") return false;
    try {
      if (realpathSync.native(absolute) !== absolute) return false;
    } catch {
      return false;
    }
    entries.set(absolute, "there");
    return true;
  }

  const real = (path: string, cwd: string): string | undefined => {
    const absolute = absolutePath(path, cwd);
    if (looked.has(absolute)) return looked.get(absolute);
    if (known.has(absolute)) return known.get(absolute);
    const { root } = parse(absolute);
    const found =
      absolute.includes("\0") || absolute.length > MAX_LENGTH
        ? undefined
        : isPlain(absolute)
          ? absolute
          : follow(root, absolute.slice(root.length), { left: MAX_LINKS });
    known.set(absolute, found);
    return found;
  };
  return Object.assign(real, { exists: (path: string) => entryAt(path) !== "missing" });
}

const nothing: LookedUp = new Map<string, string | undefined>();

/** What is at a path, links not followed; `unknown` where nobody can tell. */
type Entry = "missing" | "there" | "unknown" | { target: string };

function look(path: string): Entry {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "missing";
    return found.isSymbolicLink() ? { target: readlinkSync(path) } : "there";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // A name that is too long for the system is none; EINVAL: it stopped being a link in between.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return "missing";
    return code === "EINVAL" ? "there" : "unknown";
  }
}

function nextSeparator(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "/" || (sep === "\\" && text[at] === sep)) return at;
  return text.length;
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
