import { execFile } from "node:child_process";
import type { MemoryProbe } from "./memory.ts";

const EVERY_MS = 100;

/** Asks `ps`, in the background: what is read is as old as its last answer. */
export function createPsProbe(pid: number): MemoryProbe {
  let last = 0;
  let asked = 0;
  let asking = false;
  let open = true;
  return {
    read() {
      const now = performance.now();
      if (open && !asking && now - asked >= EVERY_MS) {
        asked = now;
        asking = true;
        const child = execFile("/bin/ps", ["-o", "rss=", "-p", String(pid)], (error, stdout) => {
          asking = false;
          if (error === null) last = (Number(stdout.trim()) || 0) * 1024;
        });
        child.unref();
      }
      return last;
    },
    close() {
      open = false;
    },
  };
}
