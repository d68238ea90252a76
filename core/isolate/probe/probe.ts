import { createLinuxProbe } from "./linux.ts";
import { createPsProbe } from "./ps.ts";

/** What a process takes of the machine, seen from outside. */
export type ProcessProbe = {
  /** Resident memory in bytes, as last seen; 0 where it is not known. */
  memoryBytes(): number;
  /** Processor time of all its threads in milliseconds; undefined where it is not known. */
  cpuMs(): number | undefined;
  close(): void;
};

export function createProbe(pid: number): ProcessProbe {
  if (process.platform === "linux") return createLinuxProbe(pid);
  if (process.platform === "win32") return { memoryBytes: () => 0, cpuMs: () => undefined, close: () => {} };
  return createPsProbe(pid);
}
