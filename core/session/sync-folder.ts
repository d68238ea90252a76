import { open } from "node:fs/promises";

/** Makes new names in a folder survive a crash of the machine, where the system can. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
}
