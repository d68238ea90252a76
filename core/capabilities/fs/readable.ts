import { MortiseError } from "../../../sdk/errors.ts";
import type { Caller, CapabilitiesHost } from "../capabilities.ts";
import { notGranted, scopesOf } from "../granted.ts";
import { canonicalPath } from "./canonical-path.ts";
import { pathAllowed } from "./path-scope.ts";
import { isShown, permittedPath, requirePermitted } from "./permitted-path.ts";
import { createProtectedPaths } from "./protected-path.ts";

export type Readable = {
  /** The canonical path of what a caller would read. Throws `protected_path`, `not_granted`, `file_failed`. */
  toRead(path: string, caller: Caller): Promise<string>;
  /** The same of a file that `openFile` or `openToRead` opens: what was permitted is not looked up again. */
  toOpen(path: string, caller: Caller): Promise<string>;
  /** Whether a caller may read a canonical path. */
  mayRead(canonical: string, caller: Caller): Promise<boolean>;
};

/** What plugins may read by their grants. Paths are relative to the call's folder, scopes to the project. */
export function createReadable({
  cwd: project,
  storeFolder,
  protectedFolders,
}: Pick<CapabilitiesHost, "cwd" | "storeFolder"> & { protectedFolders?: readonly string[] | undefined }): Readable {
  const guarded = createProtectedPaths(storeFolder, protectedFolders);
  const granted = (canonical: string, caller: Caller) => pathAllowed(canonical, scopesOf(caller, "fs_read"), project);
  const checked = async (canonical: string, caller: Caller): Promise<string> => {
    if ((await guarded.read(canonical)) && !(isShown(canonical, caller) && (await guarded.holdsKeys(canonical))))
      throw new MortiseError("protected_path", { seen: canonical });
    if (!(await granted(canonical, caller))) throw notGranted(caller, `fs_read of ${canonical}`);
    return canonical;
  };
  const toRead = async (path: string, caller: Caller): Promise<string> => {
    const canonical = await canonicalPath(path, caller.call?.cwd ?? project);
    requirePermitted(path, canonical, caller);
    return checked(canonical, caller);
  };
  return {
    toRead,
    toOpen: async (path, caller) => {
      const permitted = permittedPath(path, caller);
      return permitted === undefined ? toRead(path, caller) : checked(permitted, caller);
    },
    mayRead: async (canonical, caller) => !(await guarded.read(canonical)) && (await granted(canonical, caller)),
  };
}
