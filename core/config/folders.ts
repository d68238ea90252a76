import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** The user's folders, absolute: settings, what can be made again, what cannot. */
export type Folders = { config: string; cache: string; state: string };

export type Project = {
  /** Canonical. What relative patterns are about. */
  root: string;
  /** Its `.mortise`, whether or not it is there; null where the root is a home, which is never a project. */
  folder: string | null;
};

/** `MORTISE_CONFIG_HOME`, `MORTISE_CACHE_HOME` and `MORTISE_STATE_HOME`, else the XDG folders. Relative values are not taken, as XDG says. */
export function userFolders(env: NodeJS.ProcessEnv = process.env): Folders {
  const home = userHome(env);
  const folder = (own: string, xdg: string, ...fallback: string[]) => {
    const [mine, theirs] = [env[own], env[xdg]];
    if (mine !== undefined && isAbsolute(mine)) return resolve(mine);
    return theirs !== undefined && isAbsolute(theirs) ? join(theirs, "mortise") : join(home, ...fallback, "mortise");
  };
  return {
    config: folder("MORTISE_CONFIG_HOME", "XDG_CONFIG_HOME", ".config"),
    cache: folder("MORTISE_CACHE_HOME", "XDG_CACHE_HOME", ".cache"),
    state: folder("MORTISE_STATE_HOME", "XDG_STATE_HOME", ".local", "state"),
  };
}

/** The project of a folder: the nearest one above with `.mortise`, else the git root, else the folder itself. The search ends below home. */
export async function projectOf(cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<Project> {
  const start = await canonical(cwd);
  const home = await canonical(userHome(env));
  const above = foldersAbove(start, home);
  const root = (await nearest(above, ".mortise", (entry) => entry.isDirectory())) ?? (await nearest(above, ".git")) ?? start;
  return { root, folder: root === home ? null : join(root, ".mortise") };
}

function userHome(env: NodeJS.ProcessEnv): string {
  return env.HOME !== undefined && isAbsolute(env.HOME) ? env.HOME : homedir();
}

/** A home that is not there is no reason to fail. */
async function canonical(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

function foldersAbove(start: string, home: string): string[] {
  const folders: string[] = [];
  for (let at = start; at !== home; at = dirname(at)) {
    folders.push(at);
    if (dirname(at) === at) break;
  }
  return folders;
}

/** A git root may be marked by a file, as in a worktree. */
async function nearest(folders: readonly string[], name: string, fits: (entry: Stats) => boolean = () => true): Promise<string | undefined> {
  for (const folder of folders) {
    const entry = await stat(join(folder, name)).catch(() => undefined);
    if (entry !== undefined && fits(entry)) return folder;
  }
  return undefined;
}
