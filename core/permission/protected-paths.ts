import { dirname, join, resolve } from "node:path";
import { absolutePath } from "../capabilities/fs/canonical-path.ts";
import { insideOf, isInside } from "../capabilities/fs/path-scope.ts";
import type { Folders } from "../config/folders.ts";
import { createRealPaths, type RealPaths } from "./real-paths.ts";

/** Entries that steer agents, hooks and this host itself: parts of a path, wherever it begins. Writing them always asks. */
const steering: readonly (readonly string[])[] = [
  [".mortise"],
  [".git", "hooks"],
  [".git", "config"],
  [".git", "config.worktree"],
  [".git", "modules"],
  [".git", "worktrees"],
  [".agents"],
  [".aider.conf.yml"],
  [".amp"],
  [".claude"],
  [".claude.json"],
  [".cline"],
  [".clinerules"],
  [".codex"],
  [".continue"],
  [".crush.json"],
  [".cursor"],
  [".cursorrules"],
  [".gemini"],
  [".goose"],
  [".kilocode"],
  [".kiro"],
  [".mcp.json"],
  [".opencode"],
  [".qwen"],
  [".roo"],
  [".windsurf"],
  [".config", "amp"],
  [".config", "crush"],
  [".config", "goose"],
  [".config", "opencode"],
  ["crush.json"],
  ["opencode.json"],
  ["opencode.jsonc"],
];
/** Entries that are protected themselves, not what is in them: replacing one replaces all below. */
const holders: readonly (readonly string[])[] = [[".git"]];

export type ProtectedPaths = {
  /** Whether a path always asks. Both the path as it was named and where it leads count. */
  isProtected(path: string, cwd: string, access: "read" | "write"): boolean;
  /** Whether a folder has something protected in it, which goes where the folder goes. `names` are looked for in the project. */
  holdsProtected(path: string, cwd: string, names?: readonly string[]): boolean;
  /** Whether reading always asks, of a path that is canonical: looks nothing up, for many paths. */
  asksToRead(canonical: string): boolean;
};

/**
 * @param folders The user's Mortise folders: writing asks in all of them, reading where settings, grants, sessions and spills are.
 * @param named Whether the host itself named this file to the model: reading it is free.
 */
export function createProtectedPaths(
  project: string,
  folders: Folders,
  real: RealPaths = createRealPaths(),
  named: (path: string) => boolean = () => false,
): ProtectedPaths {
  const kept = [folders.config, folders.state].map((folder) => real(folder, "/") ?? folder);
  const keeps = kept.map(insideOf);
  return {
    asksToRead: (canonical) => keeps.some((isIn) => isIn(canonical)) && !named(canonical),
    holdsProtected(path, cwd, names = [".mortise", ".git"]) {
      const canonical = real(path, cwd);
      if (canonical === undefined || kept.some((folder) => isInside(folder, canonical))) return true;
      return isInside(project, canonical) && names.some((name) => real.exists(join(project, name)));
    },
    isProtected(path, cwd, access) {
      const canonical = real(path, cwd);
      // What cannot be resolved is not known to be harmless.
      if (canonical === undefined) return true;
      const paths = [canonical, resolve(absolutePath(path, cwd))];
      if (access === "write" && paths.some((each) => steers(partsIn(each, project)))) return true;
      if (access === "read" && named(canonical)) return false;
      const own = access === "write" ? [folders.config, folders.state, folders.cache] : [folders.config, folders.state];
      for (const folder of own) {
        const home = real(folder, "/") ?? folder;
        if (isInside(canonical, home) || (access === "write" && canonical === dirname(home))) return true;
      }
      return false;
    },
  };
}

/** The parts of a path; of one in the project, those below it. */
function partsIn(path: string, project: string): string[] {
  const below = isInside(path, project) ? path.slice(project.length) : path;
  return below
    .split(/[\\/]/)
    .filter((part) => part !== "")
    .map((part) => part.toLowerCase());
}

function steers(parts: readonly string[]): boolean {
  const at = (entry: readonly string[], start: number) => entry.every((part, index) => parts[start + index] === part);
  return (
    steering.some((entry) => parts.some((_part, start) => at(entry, start))) ||
    holders.some((entry) => parts.length >= entry.length && at(entry, parts.length - entry.length))
  );
}
