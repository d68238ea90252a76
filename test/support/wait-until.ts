import { setTimeout as sleep } from "node:timers/promises";

/** Waits until something holds; throws after a while. For what other processes do and nothing tells. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(10)) if (await holds()) return;
  throw new Error(`It did not come to hold within ${withinMs} ms`);
}

/** Whether a process is there and is not one that only waits to be collected. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const { readFile } = await import("node:fs/promises");
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  return stat === undefined ? process.platform !== "linux" : !/\) [ZX] /.test(stat);
}
