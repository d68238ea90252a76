import { lstatSync } from "node:fs";

/** Milliseconds of work between two looks at what else the process has to do. */
const SLICE_MS = 4;

/**
 * Looks up when files were changed, a slice at a time. They were read a moment ago, so the system knows without asking a disk, and
 * a call that comes back at once costs a tenth of one through the thread pool. A file that is gone is as old as can be.
 */
export function createFileTimes(): (path: Buffer) => Promise<number> {
  let waiting: { path: Buffer; resolve(mtimeMs: number): void }[] = [];
  let at = 0;

  const look = () => {
    const until = performance.now() + SLICE_MS;
    for (; at < waiting.length; at++) {
      if (performance.now() > until) {
        setImmediate(look);
        return;
      }
      const { path, resolve } = waiting[at]!;
      resolve(timeOf(path));
    }
    waiting = [];
    at = 0;
  };

  return (path) =>
    new Promise((resolve) => {
      if (waiting.push({ path, resolve }) === 1) setImmediate(look);
    });
}

function timeOf(path: Buffer): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
