import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import lockfile from "proper-lockfile";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { parseArguments } from "./arguments.ts";
import type { Methods } from "./capabilities.ts";

/** The longest store of one plugin, in bytes of its file. */
const MAX_BYTES = 1024 * 1024;
/** About four seconds in all. */
const waitForLock = { retries: 40, factor: 1.2, minTimeout: 10, maxTimeout: 150 };

const Key = z.string().check(z.minLength(1), z.maxLength(256));
const OneKey = z.tuple([Key]);
const KeyAndValue = z.tuple([Key, z.optional(z.json())]);
const None = z.tuple([]);

type Entries = Map<string, unknown>;

/** A private file of JSON values for each plugin, which two hosts may use at once. Throws `store_busy`, `file_broken`, `file_failed`. */
export function storeMethods(folder: string): Methods {
  const pathOf = (plugin: string) => join(folder, `${plugin}.json`);
  const queue = new Map<string, Promise<unknown>>();

  /** One change after the other, here and in other processes. */
  const change = async (plugin: string, edit: (entries: Entries) => void): Promise<void> => {
    const path = pathOf(plugin);
    const before = queue.get(path) ?? Promise.resolve();
    const mine = before.then(() => locked(path, folder, async () => {
      const entries = await read(path);
      edit(entries);
      await write(path, entries, plugin);
    }));
    const settled = mine.catch(() => {});
    queue.set(path, settled);
    await mine.finally(() => queue.get(path) === settled && queue.delete(path));
  };

  return {
    "store.get": async (args, { plugin }) => {
      const [key] = parseArguments("store.get", OneKey, args);
      return (await read(pathOf(plugin))).get(key);
    },
    "store.set": async (args, { plugin }) => {
      const [key, value = null] = parseArguments("store.set", KeyAndValue, args);
      await change(plugin, (entries) => entries.set(key, value));
    },
    "store.delete": async (args, { plugin }) => {
      const [key] = parseArguments("store.delete", OneKey, args);
      await change(plugin, (entries) => entries.delete(key));
    },
    "store.keys": async (args, { plugin }) => {
      parseArguments("store.keys", None, args);
      return [...(await read(pathOf(plugin))).keys()];
    },
  };
}

async function locked(path: string, folder: string, work: () => Promise<void>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const release = await lockfile.lock(path, { realpath: false, retries: waitForLock, onCompromised: () => {} }).catch((error: unknown) => {
    throw new MortiseError("store_busy", { seen: path, cause: error });
  });
  try {
    await work();
  } finally {
    // A lock that was taken over is no longer ours to release.
    await release().catch(() => {});
  }
}

/** Entries and not an object, so that no key is special. */
async function read(path: string): Promise<Entries> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw new MortiseError("file_failed", { seen: `${path}: ${error.code}`, cause: error });
  });
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return new Map(Object.entries(value));
  } catch {}
  throw new MortiseError("file_broken", { seen: path });
}

async function write(path: string, entries: Entries, plugin: string): Promise<void> {
  const text = JSON.stringify(Object.fromEntries(entries));
  if (Buffer.byteLength(text) > MAX_BYTES) throw new MortiseError("file_failed", { seen: `${plugin} stores more than ${MAX_BYTES} bytes`, plugin });
  await writeFileAtomic(path, text, { mode: 0o600 });
}
