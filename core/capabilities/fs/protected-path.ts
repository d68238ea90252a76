import { join, sep } from "node:path";
import { userFolders } from "../../config/folders.ts";
import { canonicalPath } from "./canonical-path.ts";
import { insideOf, isInside } from "./path-scope.ts";

export type ProtectedPaths = {
  /** Whether no plugin may write there, whatever its grant: a `.mortise`, or the user's Mortise folders. */
  written(canonical: string): Promise<boolean>;
  /** Whether a protected path is there or below. */
  removed(canonical: string): Promise<boolean>;
  /** Whether no plugin may read there: other plugins' stores, processes, whose files show memory and secrets, and the settings that may hold keys of models. */
  read(canonical: string): Promise<boolean>;
  /** Whether it is those settings, which a person may show a tool. */
  holdsKeys(canonical: string): Promise<boolean>;
  /** What no plugin may read, made ready for many paths. */
  refusedToRead(): Promise<(canonical: string) => boolean>;
};

/**
 * @param storeFolder Where plugins' private stores are.
 * @param more Further folders that are not written.
 */
export function createProtectedPaths(storeFolder: string, more: readonly string[] = []): ProtectedPaths {
  const folders = async (paths: readonly string[]) => Promise.all(paths.map((path) => canonicalPath(path, "/")));
  const mine = () => folders([...Object.values(userFolders()), storeFolder, ...more]);
  const unread = onceATurn(() => folders([storeFolder, userConfig()]));
  const written = async (canonical: string) =>
    named(canonical) || isProcess(canonical) || (await mine()).some((folder) => isInside(canonical, folder));
  const refusedToRead = async () => {
    const [stores, settings] = await unread();
    const inStores = stores === undefined ? () => false : insideOf(stores);
    return (canonical: string) => isProcess(canonical) || canonical === settings || inStores(canonical);
  };
  return {
    written,
    removed: async (canonical) => (await written(canonical)) || (await mine()).some((folder) => isInside(folder, canonical)),
    read: async (canonical) => (await refusedToRead())(canonical),
    holdsKeys: async (canonical) => canonical === (await canonicalPath(userConfig(), "/")),
    refusedToRead,
  };
}

function userConfig(): string {
  return join(userFolders().config, "config.jsonc");
}

/** Many calls at once get one answer; who asks in a later turn of the event loop gets a new one. */
function onceATurn<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    if (asked === undefined) {
      asked = ask();
      setImmediate(() => {
        asked = undefined;
      });
    }
    return asked;
  };
}

/** Case does not count, since on some systems it does not. */
function named(canonical: string): boolean {
  return canonical.split(sep).some((part) => part.toLowerCase() === ".mortise");
}

function isProcess(canonical: string): boolean {
  return /^\/proc\/\d+(\/|$)/.test(canonical);
}
