import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { ProcessProbe } from "./probe.ts";

/** The kernel counts processor time in hundredths of a second for every reader. */
const TICK_MS = 10;

/** Reads `/proc/PID` by descriptors that stay with the process, so that a number used again is not mistaken for it. */
export function createLinuxProbe(pid: number): ProcessProbe {
  const statm = openProc(`/proc/${pid}/statm`);
  const stat = openProc(`/proc/${pid}/stat`);
  let memory = 0;
  return {
    memoryBytes() {
      const text = statm.read();
      if (text !== undefined) memory = residentPages(text) * pageBytes();
      return memory;
    },
    cpuMs() {
      // The program's name comes before these and may hold anything.
      const fields = stat.read()?.split(") ").at(-1)?.split(" ");
      return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    },
    close() {
      statm.close();
      stat.close();
    },
  };
}

function openProc(path: string): { read(): string | undefined; close(): void } {
  const buffer = Buffer.alloc(1_024);
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
  } catch {
    // The process is gone already.
  }
  return {
    read() {
      try {
        return fd === undefined ? undefined : buffer.toString("latin1", 0, readSync(fd, buffer, 0, buffer.length, 0));
      } catch {
        return undefined;
      }
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

const residentPages = (statm: string): number => Number(statm.split(" ")[1] ?? 0);

let page = 0;

/** The size of a page, told from this process's own numbers: 4 KiB on most machines, more on some. */
function pageBytes(): number {
  if (page === 0) page = 2 ** Math.round(Math.log2(process.memoryUsage.rss() / residentPages(readFileSync("/proc/self/statm", "latin1"))));
  return page;
}
