import type { Files } from "./match.ts";
import { type Grounds, type PathPattern, type Pattern, readPath } from "./pattern.ts";
import type { Scope } from "./permission.ts";
import { createRealPaths, ignoresCase, type LookedUp } from "./real-paths.ts";
import { type WordPath, wordPaths } from "./word-paths.ts";

type FilesOptions = { ignoresCase?: boolean; looked?: LookedUp | undefined };

/** What matching needs of the file system, looked up once for one decision and only where it is asked. `looked` is what is known of it already. */
export function createFiles(project: string, { ignoresCase: ignores = folds(project), looked }: FilesOptions = {}): Files {
  const real = createRealPaths(looked);
  const fold = (path: string) => (ignores ? path.normalize("NFC").toLowerCase() : path);
  const grounds: Grounds = {
    get project() {
      return real(project, "/") ?? project;
    },
    real,
    fold,
  };
  const paths = new Map<Pattern, PathPattern | undefined>();
  const words = new Map<Scope, WordPath[]>();
  return {
    fold,
    project: () => fold(grounds.project),
    path(pattern) {
      if (!paths.has(pattern)) paths.set(pattern, readPath(pattern, grounds));
      return paths.get(pattern);
    },
    words(scope) {
      const known = words.get(scope) ?? wordPaths(scope, grounds);
      words.set(scope, known);
      return known;
    },
  };
}

const known = new Map<string, boolean>();

/** A folder's file system does not change while the host runs. */
function folds(project: string): boolean {
  const before = known.get(project);
  if (before !== undefined) return before;
  const found = ignoresCase(project);
  if (known.size > MAX_KNOWN) known.clear();
  known.set(project, found);
  return found;
}

const MAX_KNOWN = 100;
