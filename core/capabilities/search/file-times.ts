import { lstatSync } from "node:fs";

const optional = { throwIfNoEntry: false } as const;

/**
 * When a file was changed, in milliseconds. It was read a moment ago, so the system knows without asking a disk, and a call that
 * comes back at once costs a tenth of one through the thread pool. A file that is gone is as old as can be.
 */
export function timeOf(path: Buffer | string): number {
  try {
    return lstatSync(path, optional)?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
