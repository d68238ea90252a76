import { join } from "node:path";
import * as z from "zod/mini";
import { Asks } from "../../sdk/wire.ts";
import type { Folders } from "../config/folders.ts";
import { changeStore, readStore } from "../config/store.ts";
import type { Share } from "./share.ts";

const StoredShare = z.object({ capabilities: Asks, steer: z.array(z.string()) });

/** What a person answered about one plugin: its name and its file. */
const Entry = z.object({
  plugin: z.string(),
  path: z.string(),
  at: z.string(),
  /** Of the source that was there when they answered. */
  hash: z.string(),
  /** What they were asked for, so that a no is not asked about again. */
  asked: StoredShare,
  granted: StoredShare,
  /** All they ever granted it: a guard that lost it goes on guarding. */
  had: StoredShare,
});
export type GrantEntry = z.infer<typeof Entry>;

const Store = z.object({ version: z.literal(1), grants: z.array(Entry) });
type Store = z.infer<typeof Store>;

/** Decisions about plugins belong to this machine and its user, so they are state and not settings; a config's `grants` lines travel. */
export function grantsPath(folders: Folders): string {
  return join(folders.state, "grants.json");
}

/** Throws `file_broken` where the store is not as it was written: then nothing is granted by it. */
export async function readGrants(folders: Folders): Promise<GrantEntry[]> {
  return (await readStore(grantsPath(folders), Store))?.grants ?? [];
}

/** Changes entries under the store's lock. Throws `file_broken`, `store_busy`. */
export async function changeGrants(folders: Folders, change: (entries: readonly GrantEntry[]) => GrantEntry[]): Promise<void> {
  await changeStore(grantsPath(folders), Store, (stored): Store => ({ version: 1, grants: change(stored?.grants ?? []) }));
}

/** A share as the store writes it. */
export function stored({ capabilities, steer }: Share): GrantEntry["granted"] {
  const entries = Object.entries(capabilities).map(([name, held]) => [name, held === true ? true : [...held]]);
  return { capabilities: z.parse(Asks, Object.fromEntries(entries)), steer: [...steer] };
}
