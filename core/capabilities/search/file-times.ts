import { lstat } from "node:fs";

/** Looked up at once. */
const AT_ONCE = 64;

/** Looks up when files were changed, some at a time. A file that is gone is as old as can be. */
export function createFileTimes(): (path: Buffer) => Promise<number> {
  const waiting: (() => void)[] = [];
  let active = 0;
  const next = () => {
    active--;
    waiting.pop()?.();
  };
  return (path) =>
    new Promise((resolve) => {
      const look = () => {
        active++;
        lstat(path, (error, stats) => {
          next();
          resolve(error === null ? stats.mtimeMs : 0);
        });
      };
      if (active < AT_ONCE) look();
      else waiting.push(look);
    });
}
