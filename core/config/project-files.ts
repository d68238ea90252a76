import { createHash } from "node:crypto";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { readBytes } from "./bytes.ts";

/** The files of a project's `.mortise` that count, by their path in it with `/`, and why some were refused. */
export type ProjectFiles = { files: ReadonlyMap<string, Buffer>; refused: string[] };

const maxFiles = 5_000;

/** Reads `config.jsonc`, `permissions.jsonc` and all of `plugins/` and `skills/`. Links that lead out of the folder, and what is no regular file, are refused. */
export async function readProjectFiles(folder: string): Promise<ProjectFiles> {
  const found: ProjectFiles & { files: Map<string, Buffer> } = { files: new Map(), refused: [] };
  const home = await realpath(folder).catch(() => undefined);
  if (home === undefined) return found;
  if (home !== folder) return { ...found, refused: [`${folder} is a link`] };
  for (const name of ["config.jsonc", "permissions.jsonc"]) await take(found, folder, name);
  await walk(found, folder, "plugins");
  await walk(found, folder, "skills");
  return found;
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function walk(found: ProjectFiles & { files: Map<string, Buffer> }, folder: string, path: string): Promise<void> {
  const stat = await lstat(join(folder, path)).catch(() => undefined);
  if (stat === undefined) return;
  if (!stat.isDirectory()) return take(found, folder, path);
  for (const name of (await readdir(join(folder, path))).sort()) await walk(found, folder, `${path}/${name}`);
}

async function take(found: ProjectFiles & { files: Map<string, Buffer> }, folder: string, path: string): Promise<void> {
  const full = join(folder, path);
  if (found.files.size >= maxFiles) {
    if (!found.refused.includes(tooMany)) found.refused.push(tooMany);
    return;
  }
  try {
    const target = await realpath(full).catch(() => full);
    if (!target.startsWith(folder + sep)) throw new Error("the link leads out of .mortise");
    const bytes = await readBytes(full);
    if (bytes !== undefined) found.files.set(path, bytes);
  } catch (cause) {
    found.refused.push(`${full}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

const tooMany = `there are more than ${maxFiles} files`;
