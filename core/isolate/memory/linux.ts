import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { MemoryProbe } from "./memory.ts";

/** Reads `/proc/PID/statm` by a descriptor that stays with the process, so that a number used again is not mistaken for it. */
export function createLinuxProbe(pid: number): MemoryProbe {
  const buffer = Buffer.alloc(128);
  let fd = open(`/proc/${pid}/statm`);
  let last = 0;
  return {
    read() {
      if (fd === undefined) return last;
      try {
        last = residentPages(buffer.toString("latin1", 0, readSync(fd, buffer, 0, buffer.length, 0))) * pageBytes();
      } catch {
        // The process is gone.
      }
      return last;
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function open(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}

const residentPages = (statm: string): number => Number(statm.split(" ")[1] ?? 0);

let page = 0;

/** The size of a page, told from this process's own numbers: 4 KiB on most machines, more on some. */
function pageBytes(): number {
  if (page === 0) page = 2 ** Math.round(Math.log2(process.memoryUsage.rss() / residentPages(readFileSync("/proc/self/statm", "latin1"))));
  return page;
}
