import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { isMissing, readBytes } from "../config/bytes.ts";

/** The file that a bundle starts from, and the package.json that named it. */
export type EntryFile = { path: string; bytes: Buffer; manifest?: string };

const candidates = ["plugin.ts", "index.ts", "plugin.js", "index.js", "plugin.mjs", "index.mjs"];

/**
 * Finds a plugin's entry: the file itself, or in a folder `plugin.ts`, `index.ts` or what package.json calls `main`.
 * Throws `plugin_not_found`, `plugin_unreadable`, or `plugin_undefined` for a folder without an entry and an empty file.
 */
export async function findEntryFile(path: string): Promise<EntryFile> {
  const target = await canonical(path);
  const found = await statOf(target);
  if (!found.isDirectory()) return { path: target, bytes: await read(target) };
  const named = await mainOf(target);
  for (const name of [...candidates, ...(named === undefined ? [] : [named])]) {
    const file = join(target, name);
    const bytes = await readBytes(file).catch((cause: unknown) => {
      throw unreadable(file, cause);
    });
    if (bytes !== undefined)
      return { path: file, bytes: notEmpty(file, bytes), ...(name === named ? { manifest: join(target, "package.json") } : {}) };
  }
  throw new MortiseError("plugin_undefined", { seen: `${path} has no plugin.ts, no index.ts and no package.json with a \`main\` in it` });
}

async function canonical(path: string): Promise<string> {
  return realpath(path).catch((cause: unknown) => {
    if (isMissing(cause)) throw new MortiseError("plugin_not_found", { seen: path, cause });
    throw unreadable(path, cause);
  });
}

async function statOf(path: string): Promise<Stats> {
  return stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
}

async function read(path: string): Promise<Buffer> {
  const bytes = await readBytes(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (bytes === undefined) throw new MortiseError("plugin_not_found", { seen: path });
  return notEmpty(path, bytes);
}

function notEmpty(path: string, bytes: Buffer): Buffer {
  if (bytes.toString("utf8").trim() === "") throw new MortiseError("plugin_undefined", { seen: `${path} is empty` });
  return bytes;
}

/** The `main` of a folder's package.json, where it stays in the folder. */
async function mainOf(folder: string): Promise<string | undefined> {
  const bytes = await readBytes(join(folder, "package.json")).catch(() => undefined);
  if (bytes === undefined) return undefined;
  try {
    const { main } = z.parse(z.object({ main: z.optional(z.string()) }), JSON.parse(bytes.toString("utf8")));
    return main !== undefined && join(folder, main).startsWith(folder + sep) ? main : undefined;
  } catch (cause) {
    throw new MortiseError("plugin_unreadable", { seen: `${join(folder, "package.json")} is not valid JSON`, cause });
  }
}

function unreadable(path: string, cause: unknown): MortiseError {
  return new MortiseError("plugin_unreadable", { seen: `${path}: ${cause instanceof Error ? cause.message : String(cause)}`, cause });
}
