import { randomUUID } from "node:crypto";
import { constants, readFileSync, rmSync, utimesSync } from "node:fs";
import { link, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { killOnExit } from "../capabilities/run/kill-on-exit.ts";
import { withLock } from "../config/lock.ts";
import { makeFolder } from "../config/make-folder.ts";
import { openLog } from "./open-log.ts";
import { processPlace, processStart } from "./process-start.ts";

const Owner = z.object({ pid: z.number(), started: z.string(), place: z.string(), token: z.string() });
type Owner = z.output<typeof Owner>;

/** Of an owner elsewhere nothing is seen but that it touches its lock. */
const TOUCH_MS = 20_000;
const STALE_MS = 90_000;
/** Each failed try means that another process took or gave up the lock meanwhile. */
const TRIES = 10;

/** Asked of the system once, since some need a program for it. */
let ownStart: string | undefined;

/**
 * Takes a lock that only its owner's end or `release` gives up; that of a process that has ended is taken over.
 * Throws `session_locked` at once where it is held, also by this process.
 */
export async function lockSession(path: string, sessionId: string): Promise<{ release(): void }> {
  ownStart ??= processStart(process.pid) ?? "";
  const owner: Owner = { pid: process.pid, started: ownStart, place: processPlace(), token: randomUUID() };
  const text = JSON.stringify(owner);
  await makeFolder(dirname(path));
  for (let tries = 0; tries < TRIES; tries++) {
    if (await claim(path, text, owner.token)) return held(path, text);
    if (await isHeld(path)) break;
    // One at a time, and looked at again: two that found the same dead owner must not remove each other's lock. Where there is none, the next one may just be made.
    await withLock(path, async () => {
      const left = await ownerOf(path);
      if (left !== undefined && !(await isAlive(left, path))) await rm(path, { force: true });
    });
  }
  const pid = (await ownerOf(path))?.pid;
  throw new MortiseError("session_locked", { seen: pid === undefined ? sessionId : `${sessionId} (process ${pid})` });
}

/** Whether a lock has an owner that has not ended, as far as can be seen from here. */
export async function isHeld(path: string): Promise<boolean> {
  const owner = await ownerOf(path);
  return owner !== undefined && (await isAlive(owner, path));
}

async function isAlive(owner: Owner | null, path: string): Promise<boolean> {
  if (owner?.place === processPlace()) return processStart(owner.pid) === owner.started;
  const info = await stat(path).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs < STALE_MS;
}

/** With its content from the first moment on, where the file system can do that. */
async function claim(path: string, text: string, token: string): Promise<boolean> {
  const own = `${path}.${token}`;
  try {
    await writeFile(own, text, { flag: "wx", mode: 0o600 });
    await link(own, path);
    return true;
  } catch (cause) {
    if (isCode(cause, "EEXIST")) return false;
    return await writeFile(path, text, { flag: "wx", mode: 0o600 }).then(
      () => true,
      (failure) => {
        if (isCode(failure, "EEXIST")) return false;
        throw new MortiseError("file_failed", { seen: `${path}: ${failure.message}`, cause: failure });
      },
    );
  } finally {
    await rm(own, { force: true });
  }
}

function held(path: string, text: string): { release(): void } {
  const touching = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // Somebody removed it, as a person may.
    }
  }, TOUCH_MS).unref();
  const release = () => {
    clearInterval(touching);
    undo();
    try {
      if (readFileSync(path, "utf8") === text) rmSync(path, { force: true });
    } catch {
      // It is not there any more.
    }
  };
  const undo = killOnExit(release);
  return { release };
}

/** Undefined where there is no lock, null where it does not say whose it is. */
async function ownerOf(path: string): Promise<Owner | null | undefined> {
  const file = await openLog(path, constants.O_RDONLY).catch((cause: unknown) => (isCode(cause, "ENOENT") ? undefined : null));
  if (file === undefined || file === null) return file;
  try {
    return Owner.parse(JSON.parse(await file.readFile("utf8")));
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

function isCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && "code" in cause && cause.code === code;
}
