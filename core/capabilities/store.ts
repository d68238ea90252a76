import { basename, join } from "node:path";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { sha256 } from "../config/project-files.ts";
import { changeStore, readStore } from "../config/store.ts";
import { parseArguments } from "./arguments.ts";
import type { Methods } from "./capabilities.ts";

/** The longest store of one plugin, in bytes of JSON. */
const MAX_BYTES = 1024 * 1024;

const Key = z.string().check(z.minLength(1), z.maxLength(256));
const OneKey = z.tuple([Key]);
const KeyAndValue = z.tuple([Key, z.optional(z.json())]);
const None = z.tuple([]);

/** An object as it was parsed: a record's schema would drop the key `__proto__`. */
const Stored = z.custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null && !Array.isArray(value));

/** A private file of JSON values for each plugin, which two hosts may use at once. Throws `store_busy`, `file_broken`, `file_failed`. */
export function storeMethods(folder: string, name: "store" | "projectStore" = "store"): Methods {
  const pathOf = (plugin: string) => join(folder, `${plugin}.json`);
  const read = async (plugin: string) => new Map(Object.entries((await readStore(pathOf(plugin), Stored)) ?? {}));
  const change = async (plugin: string, edit: (entries: Map<string, unknown>) => void) => {
    await changeStore(pathOf(plugin), Stored, (stored = {}) => {
      const entries = new Map(Object.entries(stored));
      edit(entries);
      return withinLimit(Object.fromEntries(entries), plugin);
    });
  };

  return {
    [`${name}.get`]: async (args, { plugin }) => {
      const [key] = parseArguments(`${name}.get`, OneKey, args);
      return (await read(plugin)).get(key);
    },
    [`${name}.set`]: async (args, { plugin }) => {
      const [key, value = null] = parseArguments(`${name}.set`, KeyAndValue, args);
      await change(plugin, (entries) => entries.set(key, value));
    },
    [`${name}.delete`]: async (args, { plugin }) => {
      const [key] = parseArguments(`${name}.delete`, OneKey, args);
      await change(plugin, (entries) => entries.delete(key));
    },
    [`${name}.keys`]: async (args, { plugin }) => {
      parseArguments(`${name}.keys`, None, args);
      return [...(await read(plugin)).keys()];
    },
  };
}

/** Where the stores for one project are, its path canonical. */
export function projectStoreFolder(folder: string, project: string): string {
  return join(
    folder,
    "projects",
    `${basename(project)
      .replace(/[^\w.-]/g, "_")
      .slice(0, 40)}-${sha256(project).slice(0, 16)}`,
  );
}

function withinLimit(stored: Record<string, unknown>, plugin: string): Record<string, unknown> {
  if (Buffer.byteLength(JSON.stringify(stored)) <= MAX_BYTES) return stored;
  throw new MortiseError("file_failed", { seen: `${plugin} stores more than ${MAX_BYTES} bytes`, plugin });
}
