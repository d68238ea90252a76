import { lstatSync, realpathSync } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, parse } from "node:path";
import { fileFailed } from "./file-failed.ts";

const MAX_LINKS = 40;
const separators = process.platform === "win32" ? /[\\/]/ : /\//;

/** A path made absolute without folding `..`, which only the file system can. `~/` is the user's home. */
export function absolutePath(path: string, cwd: string): string {
  if (path === "~" || path.startsWith("~/")) return `${homedir()}${path.slice(1)}`;
  return isAbsolute(path) ? path : `${cwd}/${path}`;
}

/**
 * The one path of a file, as the system would reach it: links are followed before `..` goes up, dangling ones too,
 * and what does not exist is taken as it is written. Throws `file_failed` for a loop of links or a folder that cannot be searched.
 */
export async function canonicalPath(path: string, cwd: string): Promise<string> {
  return follow(path, cwd);
}

/** The same with nothing but what is looked up from now on, to compare with what was found before. */
export async function canonicalNow(path: string, cwd: string): Promise<string> {
  return follow(path, cwd, { targetOf: linkTarget });
}

/** The first link on the way to a path that leads nowhere, and where it would lead. */
export async function danglingLink(path: string, cwd: string): Promise<{ at: string; to: string } | undefined> {
  const links: string[] = [];
  await follow(path, cwd, { onLink: (at) => links.push(at) });
  for (const at of links) {
    const to = await canonicalPath(at, "/");
    if (await isMissing(to)) return { at, to };
  }
  return undefined;
}

type Follow = { targetOf?: (path: string) => Promise<string | undefined>; onLink?: (at: string) => void };

async function follow(path: string, cwd: string, { targetOf = sharedTarget, onLink }: Follow = {}): Promise<string> {
  const absolute = absolutePath(path, cwd);
  const known = ofSystem(absolute);
  if (known !== undefined) return known;
  const { root } = parse(absolute);
  const pending = absolute.slice(root.length).split(separators);
  let current = root;
  let links = 0;
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      current = dirname(current);
      continue;
    }
    const next = join(current, part);
    const target = await targetOf(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    onLink?.(next);
    if (++links > MAX_LINKS) throw fileFailed(path, { code: "ELOOP" });
    if (isAbsolute(target)) current = parse(target).root;
    pending.unshift(...target.slice(isAbsolute(target) ? current.length : 0).split(separators));
  }
  return current;
}

/** Parts of a path that the system is asked about at once. */
const MAX_PARTS = 256;

/**
 * The same where the system knows it at once: what is there, or is missing in a folder that is. Undefined for all that has to be followed by hand.
 * Asking is a matter of microseconds, and going through a thread would take twenty times as long; but all else waits meanwhile, and the time grows
 * with the square of the parts.
 */
function ofSystem(absolute: string): string | undefined {
  if (absolute.split(separators, MAX_PARTS + 1).length > MAX_PARTS) return undefined;
  // An error, which says that nothing is there, costs more than to look.
  const found = isNothing(absolute) ? "missing" : realOf(absolute);
  if (found !== "missing") return found;
  const missing: string[] = [];
  let existing = absolute;
  do {
    const { dir, base } = parse(existing);
    if (base === "" || base === "." || base === ".." || dir === existing) return undefined;
    missing.unshift(base);
    existing = dir;
  } while (isNothing(existing));
  const folder = realOf(existing);
  if (folder === undefined || folder === "missing") return undefined;
  return isNothing(join(folder, missing[0] ?? "")) ? join(folder, ...missing) : undefined;
}

function realOf(path: string): string | "missing" | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "missing" : undefined;
  }
}

function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** The canonical path of an entry itself: a link at its end is not followed. */
export async function canonicalEntry(path: string, cwd: string): Promise<string> {
  const absolute = absolutePath(path, cwd).replace(/\/+$/, "");
  const { dir, base } = parse(absolute);
  if (base === "" || base === "." || base === "..") return canonicalPath(path, cwd);
  return join(await canonicalPath(dir, cwd), base);
}

const looking = new Map<string, Promise<string | undefined>>();

/** Many calls at once look at the same folders: who asks while an answer is on its way gets that one. */
function sharedTarget(path: string): Promise<string | undefined> {
  const before = looking.get(path);
  if (before !== undefined) return before;
  const found = linkTarget(path).finally(() => looking.delete(path));
  looking.set(path, found);
  return found;
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    const code = codeOf(error);
    // EINVAL: it stopped being a link in between.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EINVAL") return undefined;
    throw fileFailed(path, error);
  }
}

async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => codeOf(error) === "ENOENT",
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
