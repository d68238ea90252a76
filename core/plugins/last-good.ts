import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod/mini";
import { Manifest } from "../../sdk/wire.ts";
import { makeFolder } from "../config/make-folder.ts";
import { sha256 } from "../config/project-files.ts";
import { readStore } from "../config/store.ts";
import type { BuiltPlugin } from "./plugin.ts";

const LastGood = z.object({ path: z.string(), hash: z.string(), sourceHash: z.string(), manifest: Manifest });

/** Notes what a plugin registered when it last loaded, by its file: if its next version does not load, its guards go on by this. */
export async function rememberLastGood(stateFolder: string, source: string, { path, hash, sourceHash = hash, manifest }: BuiltPlugin): Promise<void> {
  const file = pathOf(stateFolder, source);
  const text = JSON.stringify({ path, hash, sourceHash, manifest });
  const old = await readStore(file, LastGood).catch(() => undefined);
  if (old !== undefined && JSON.stringify(old) === text) return;
  await makeFolder(dirname(file));
  await writeFileAtomic(file, text, { mode: 0o600 });
}

export async function readLastGood(stateFolder: string, source: string): Promise<BuiltPlugin | undefined> {
  const stored = await readStore(pathOf(stateFolder, source), LastGood).catch(() => undefined);
  return stored && { ...stored, code: "" };
}

export async function forgetLastGood(stateFolder: string, source: string): Promise<void> {
  await rm(pathOf(stateFolder, source), { force: true });
}

function pathOf(stateFolder: string, source: string): string {
  return join(stateFolder, "last-good", `${sha256(source)}.json`);
}
