import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import { MortiseError } from "../../sdk/errors.ts";

/** Waits up to about ten seconds, longer than the lock of a process that died is kept. */
const retries = { retries: 60, factor: 1.5, minTimeout: 5, maxTimeout: 250, randomize: true };

/** Runs `work` while no other process holds the lock of this file. Throws `store_busy` where it stays held. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path);
  let lost: Error | undefined;
  const release = await lock(target, {
    realpath: false,
    stale: 10_000,
    retries,
    onCompromised: (error) => {
      lost = error;
    },
  }).catch((cause: unknown) => {
    throw new MortiseError("store_busy", { seen: path, cause });
  });
  try {
    return await work();
  } finally {
    if (lost === undefined) await release();
  }
}
