import { createLinuxProbe } from "./linux.ts";
import { createPsProbe } from "./ps.ts";

/** The resident memory of a process. */
export type MemoryProbe = {
  /** In bytes, as last seen; 0 where it is not known. */
  read(): number;
  close(): void;
};

export function createMemoryProbe(pid: number): MemoryProbe {
  if (process.platform === "linux") return createLinuxProbe(pid);
  if (process.platform === "win32") return { read: () => 0, close: () => {} };
  return createPsProbe(pid);
}
