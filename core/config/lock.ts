import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import { MortiseError } from "../../sdk/errors.ts";
import { makeFolder } from "./make-folder.ts";

/** Waits up to about ten seconds, longer than the lock of a process that died is kept. */
const retries = { retries: 60, factor: 1.5, minTimeout: 5, maxTimeout: 250, randomize: true };

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
  let lost: Error | undefined;
  const release = await lock(target, {
    realpath: false,
    stale: 10_000,
    retries,
    onCompromised: (error) => {
      lost = error;
    },
  });
  try {
    return await work();
  } finally {
    if (lost === undefined) await release();
  }
}

function isSystemError(cause: unknown): cause is Error & { code: string } {
  return cause instanceof Error && !(cause instanceof MortiseError) && "code" in cause && typeof cause.code === "string";
}
