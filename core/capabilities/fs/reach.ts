import { isInside, readScopes } from "./path-scope.ts";

/** What a plugin may read, made ready for many paths. Paths are canonical. */
export type Reach = {
  covers(canonical: string): boolean;
  /** Whether something that is covered may lie in a folder or below it. */
  reaches(folder: string): boolean;
  /** Where to look for all of a folder that is covered: the folder itself, or what is below it; nothing where none of it is. */
  startsIn(folder: string): string[];
};

export type ReachOptions = {
  /** The grant: `true` for everything. */
  scopes: true | readonly string[];
  project: string;
  /** What nobody reads, whatever the grant. */
  refused(canonical: string): boolean;
};

export async function createReach({ scopes, project, refused }: ReachOptions): Promise<Reach> {
  if (scopes === true)
    return { covers: (path) => !refused(path), reaches: (path) => !refused(path), startsIn: (path) => (refused(path) ? [] : [path]) };
  const read = await readScopes(scopes, project);
  const startsIn = (folder: string): string[] => {
    if (refused(folder)) return [];
    if (read.some(({ base, below }) => below && isInside(folder, base))) return [folder];
    const bases = new Set(read.map(({ base }) => base).filter((base) => isInside(base, folder) && !refused(base)));
    return [...bases].filter((base) => ![...bases].some((other) => other !== base && isInside(base, other)));
  };
  return {
    covers: (path) => !refused(path) && read.some((scope) => scope.covers(path)),
    reaches: (folder) => startsIn(folder).length > 0,
    startsIn,
  };
}
