import { constants } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Caller, CapabilitiesHost } from "../capabilities.ts";
import { canonicalPath } from "../fs/canonical-path.ts";
import { fileFailed } from "../fs/file-failed.ts";
import { isInside } from "../fs/path-scope.ts";
import { requirePermitted } from "../fs/permitted-path.ts";
import { createProtectedPaths } from "../fs/protected-path.ts";
import { createReach, type Reach } from "../fs/reach.ts";
import { notGranted, scopesOf } from "../granted.ts";
import type { RipgrepResult } from "./ripgrep.ts";

/** Where something is searched. */
export type Place = {
  /** The file or folder, canonical. */
  root: string;
  isFolder: boolean;
  reach: Reach;
  /** What to look at in the folder, relative to it and with `./` in front: all of it, or the parts that were granted. */
  starts: string[];
  /** The folder that paths are shown relative to. */
  cwd: string;
  signal: AbortSignal;
};

/** Milliseconds of a search outside a call. */
const LONGEST_MS = 60_000;

/**
 * Finds what is to be searched, by the grant and before anything is walked.
 * Throws `not_granted`, `protected_path`, or `file_failed` for what is neither a regular file nor a folder.
 */
export async function findPlace(path: string, from: string, caller: Caller, host: Pick<CapabilitiesHost, "cwd" | "storeFolder">): Promise<Place> {
  const cwd = caller.call?.cwd ?? host.cwd;
  const root = await canonicalPath(path, from);
  requirePermitted(path, root, caller);
  const refused = await createProtectedPaths(host.storeFolder).refusedToRead();
  if (refused(root)) throw new MortiseError("protected_path", { seen: root });
  const reach = await createReach({ scopes: scopesOf(caller, "fs_read"), project: host.cwd, refused });
  const within = reach.startsIn(root);
  if (within.length === 0) throw notGranted(caller, `fs_read of ${root}`);
  // A link is named with where it leads.
  const named = path === "." || root.endsWith(basename(path)) ? root : `${path}, which is ${root}`;
  const stats = await lstat(root).catch((error: unknown) => {
    throw fileFailed(named, error);
  });
  if (!stats.isDirectory() && !stats.isFile()) throw fileFailed(named, { code: "ENXIO" });
  if (stats.isFile() && !reach.covers(root)) throw notGranted(caller, `fs_read of ${root}`);
  if (endless.some((folder) => isInside(root, folder)))
    throw fileFailed(root, "the system makes up its files when they are read, so it is not searched");
  return {
    root,
    isFolder: stats.isDirectory(),
    reach,
    starts: await startsOf(root, within),
    cwd,
    signal: caller.call?.signal ?? AbortSignal.timeout(LONGEST_MS),
  };
}

/** Throws `file_failed` where a program cannot begin in the place: what the system refuses of that would be said of the program. */
export async function requireEntry({ root, isFolder }: Place): Promise<void> {
  if (!isFolder) return;
  await access(root, constants.R_OK | constants.X_OK).catch((error: unknown) => {
    throw fileFailed(root, error);
  });
}

/** What the caller may read. */
export async function reachOf(caller: Caller, host: Pick<CapabilitiesHost, "cwd" | "storeFolder">): Promise<Reach> {
  const refused = await createProtectedPaths(host.storeFolder).refusedToRead();
  return createReach({ scopes: scopesOf(caller, "fs_read"), project: host.cwd, refused });
}

/** Why a search came to its end, for who asked. */
export function endOf(ended: RipgrepResult["ended"], { reason }: AbortSignal): "done" | "timeout" | "cancelled" | "output" {
  if (ended === "exit") return "done";
  if (ended === "enough") return "output";
  const late = reason instanceof MortiseError ? reason.code === "deadline_passed" : reason instanceof Error && reason.name === "TimeoutError";
  return late ? "timeout" : "cancelled";
}

const endless = ["/proc", "/sys"];

/** A start that is no folder is taken for a file by name, and must be one: others could be waited for without an end. */
async function startsOf(root: string, within: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    within.map(async (path) => {
      if (path === root) return true;
      const stats = await lstat(path).catch(() => undefined);
      return stats?.isDirectory() === true || stats?.isFile() === true;
    }),
  );
  return within.filter((_path, index) => there[index]).map((path) => `./${relative(root, path).split(sep).join("/")}`);
}
