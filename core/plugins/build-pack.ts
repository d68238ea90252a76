import { mkdir, readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { NOTHING } from "../../sdk/wire.ts";
import { createIsolates } from "../isolate/create-isolates.ts";
import { bundlePlugin } from "./bundle.ts";
import { type BuildRecord, readRecord, writeRecord } from "./cache.ts";
import { packSources } from "./discover.ts";
import { toolchain } from "./toolchain.ts";

/** Bundles and describes the plugins of a pack into a folder, so that a start needs neither bundler nor isolate for them. What has not changed is left. */
export async function buildPack(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const isolates = createIsolates({ onHostCall: async () => NOTHING, onEvent: () => {}, spare: false });
  try {
    const names = await Promise.all(
      (await packSources(from)).map(async (path) => {
        const { code, sourceHash } = await bundlePlugin({ path });
        const name = recordName(relative(from, path));
        const old = await readRecord(join(to, name), "package");
        if (old?.toolchain === toolchain().id && old.sourceHash === sourceHash) return name;
        const manifest = await isolates.describe(code);
        const record: BuildRecord = {
          format: 1,
          toolchain: toolchain().id,
          entry: manifest.name,
          inputs: [],
          sourceHash,
          overrides: {},
          code,
          manifest,
        };
        await writeRecord(join(to, name), record, 0o644);
        return name;
      }),
    );
    await writeFileAtomic(join(to, "pack.json"), `${JSON.stringify({ name: "builtin", plugins: names })}\n`);
    for (const name of await readdir(to)) if (name !== "pack.json" && !names.includes(name)) await rm(join(to, name), { force: true });
  } finally {
    await isolates.close();
  }
}

/** `bash/bash.ts` and `bash/plugin.ts` are both `bash.json`. */
function recordName(path: string): string {
  const parts = path.replace(/\.[^.]+$/, "").split(/[\\/]/);
  const last = parts.at(-1);
  if (parts.length > 1 && (last === "plugin" || last === "index" || last === parts.at(-2))) parts.pop();
  return `${parts.join("-")}.json`;
}
