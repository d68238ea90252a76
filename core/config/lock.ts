import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MortiseError } from "../../sdk/errors.ts";
import { makeFolder } from "./make-folder.ts";

/** Waits up to about ten seconds, longer than the lock of a process that died is kept. Pauses in milliseconds. */
const waits = { retries: 60, factor: 1.5, minMs: 5, maxMs: 250 };

/** Runs `work` while no other process holds the lock of this file. Throws `store_busy` where it stays held, `file_failed` for what the system refuses. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    await makeFolder(dirname(path));
    return await locked(await realpath(path).catch(() => path), work);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw cause.code === "ELOCKED"
      ? new MortiseError("store_busy", { seen: path, cause })
      : new MortiseError("file_failed", { seen: `${path}: ${cause.message}`, cause });
  }
}

async function locked<T>(target: string, work: () => Promise<T>): Promise<T> {
  // Imported at the first lock, since it listens to every signal from then on.
  const { lock } = (await import("proper-lockfile")).default;
  let lost: Error | undefined;
  const options = {
    realpath: false,
    stale: 10_000,
    onCompromised: (error: Error) => {
      lost = error;
    },
  };
  const release = await acquired(() => lock(target, options));
  try {
    return await work();
  } finally {
    if (lost === undefined) await release();
  }
}

/** Waits only for whoever holds it: what the system refuses, as on a full disk, it refuses again. */
async function acquired<T>(acquire: () => Promise<T>): Promise<T> {
  for (let turn = 0; ; turn++) {
    try {
      return await acquire();
    } catch (cause) {
      if (!isSystemError(cause) || cause.code !== "ELOCKED" || turn === waits.retries) throw cause;
    }
    await delay(Math.min(waits.minMs * waits.factor ** turn, waits.maxMs) * (1 + Math.random()));
  }
}

function isSystemError(cause: unknown): cause is Error & { code: string } {
  return cause instanceof Error && !(cause instanceof MortiseError) && "code" in cause && typeof cause.code === "string";
}
