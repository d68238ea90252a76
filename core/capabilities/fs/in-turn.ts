import { createHash } from "node:crypto";
import { join } from "node:path";
import { MortiseError } from "../../../sdk/errors.ts";
import { withLock } from "../../config/lock.ts";

/**
 * Does what replaces a file while no other process does that which has the same folder of locks. Where the system gives no lock, as on a full disk,
 * it is done without one: the file counts more. Throws `store_busy` where the lock stays held.
 */
export async function inTurn<T>(canonical: string, locks: string | undefined, work: () => Promise<T>): Promise<T> {
  if (locks === undefined) return work();
  let done: Promise<T> | undefined;
  const start = async () => {
    done = work();
    await Promise.allSettled([done]);
  };
  await withLock(join(locks, createHash("sha256").update(canonical).digest("hex")), start).catch((cause: unknown) => {
    if (cause instanceof MortiseError && cause.code === "store_busy") throw new MortiseError("store_busy", { seen: canonical, cause });
  });
  return done ?? work();
}
