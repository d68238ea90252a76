import { join } from "node:path";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import type { Folders, Project } from "./folders.ts";
import { type ProjectFiles, readProjectFiles, sha256 } from "./project-files.ts";
import { changeStore, readStore } from "./store.ts";

/** What became of one file since the folder was trusted. Texts are there where it is short enough to show. */
export type TrustChange = { path: string; kind: "added" | "removed" | "changed"; before?: string; after?: string };

export type Trust = {
  /** `nothing`: the project has no files that count, and had none. */
  state: "trusted" | "changed" | "untrusted" | "nothing";
  /** It is trusted by whoever started this host, as the files were then, and nothing of that is kept. */
  forNow?: true;
  changes: TrustChange[];
  /** Why it cannot be trusted as it is. */
  refused: string[];
  /** What was looked at; what counts is read from here, never from the disk again. */
  files: ProjectFiles["files"];
};

const Store = z.object({
  version: z.literal(1),
  folders: z.record(
    z.string(),
    z.object({ at: z.string(), hash: z.string(), files: z.record(z.string(), z.object({ hash: z.string(), text: z.optional(z.string()) })) }),
  ),
});
type Store = z.infer<typeof Store>;

/** Whether a person trusts a project's files as they are now. A store that is broken trusts nothing: throws `file_broken`. */
export async function trustOf(project: Project, folders: Folders): Promise<Trust> {
  const { files, refused } = project.folder === null ? { files: new Map<string, Buffer>(), refused: [] } : await readProjectFiles(project.folder);
  const stored = (await readStore(storePath(folders), Store))?.folders[project.root];
  if (stored === undefined) return { state: files.size + refused.length === 0 ? "nothing" : "untrusted", changes: [], refused, files };
  if (refused.length === 0 && stored.hash === hashOf(files)) return { state: "trusted", changes: [], refused, files };
  return { state: "changed", changes: changesSince(stored.files, files), refused, files };
}

/** Trusts a project's files as they were looked at, or as they are. Throws `not_trusted` where something about them is refused. */
export async function addTrust(project: Project, folders: Folders, seen?: Trust): Promise<void> {
  const { files, refused, state } = seen ?? (await trustOf(project, folders));
  if (refused.length > 0) throw new MortiseError("not_trusted", { seen: refused.join("; ") });
  if (state === "nothing") throw new MortiseError("not_trusted", { seen: `${project.root} has no Mortise files` });
  const entry = {
    at: new Date().toISOString(),
    hash: hashOf(files),
    files: Object.fromEntries([...files].map(([path, bytes]) => [path, { hash: sha256(bytes), ...copyOf(path, bytes) }])),
  };
  await changeStore(storePath(folders), Store, (stored): Store => ({ version: 1, folders: { ...stored?.folders, [project.root]: entry } }));
}

/** Whether it was trusted. */
export async function removeTrust(root: string, folders: Folders): Promise<boolean> {
  let was = false;
  await changeStore(storePath(folders), Store, (stored): Store => {
    const { [root]: gone, ...rest } = stored?.folders ?? {};
    was = gone !== undefined;
    return { version: 1, folders: rest };
  });
  return was;
}

export async function listTrust(folders: Folders): Promise<{ root: string; at: string }[]> {
  const stored = await readStore(storePath(folders), Store);
  return Object.entries(stored?.folders ?? {}).map(([root, { at }]) => ({ root, at }));
}

function storePath(folders: Folders): string {
  return join(folders.state, "trust.json");
}

function hashOf(files: ProjectFiles["files"]): string {
  return sha256(JSON.stringify([...files].map(([path, bytes]) => [path, sha256(bytes)]).sort()));
}

function changesSince(before: Readonly<Record<string, { hash: string; text?: string | undefined }>>, now: ProjectFiles["files"]): TrustChange[] {
  const paths = [...new Set([...Object.keys(before), ...now.keys()])].sort();
  return paths.flatMap((path): TrustChange[] => {
    const old = Object.hasOwn(before, path) ? before[path] : undefined;
    const bytes = now.get(path);
    if (old !== undefined && bytes !== undefined && old.hash === sha256(bytes)) return [];
    const after = bytes === undefined ? undefined : copyOf(path, bytes).text;
    return [
      {
        path,
        kind: old === undefined ? "added" : bytes === undefined ? "removed" : "changed",
        ...(old?.text === undefined ? {} : { before: old.text }),
        ...(after === undefined ? {} : { after }),
      },
    ];
  });
}

/** A copy for the next diff, of what a person would read. */
function copyOf(path: string, bytes: Buffer): { text?: string } {
  if (bytes.length > 64 * 1024 || path.includes("/node_modules/") || bytes.includes(0)) return {};
  return { text: bytes.toString("utf8") };
}
