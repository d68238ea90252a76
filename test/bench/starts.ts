import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writePlugins } from "./plugins.ts";
import { firstLine } from "./processes.ts";
import type { Case } from "./rounds.ts";

const program = fileURLToPath(new URL("start-host.mjs", import.meta.url));

export const pluginCounts = [0, 5, 20] as const;

/** Programs that embed a host, from their start until the host is ready; and one plugin loaded into a host that runs. */
export async function starts(folder: string): Promise<Case[]> {
  const plugins = await writePlugins(join(folder, "plugins"), Math.max(...pluginCounts));
  // The second: the first brings a schema library.
  const one = plugins.slice(1, 2);
  const cold = async () => {
    const cache = await mkdtemp(join(folder, "cold-"));
    return [(await started("load", one, cache)).ms * 1000];
  };
  const cached = async () => [(await started("load", one)).ms * 1000];
  await started("load", plugins);
  return [
    { name: "load cold", sample: cold },
    { name: "load cached", sample: cached },
    ...pluginCounts.map((count) => ({ name: `start ${count}`, sample: async () => [(await started("start", plugins.slice(0, count))).us] })),
  ];
}

async function started(mode: "start" | "load", plugins: readonly string[], cache?: string): Promise<{ ms: number; us: number }> {
  const env = cache === undefined ? process.env : { ...process.env, MORTISE_CACHE_HOME: cache };
  const { line, us } = await firstLine(process.execPath, [program, mode, ...plugins], { env });
  const { ms, loaded, problems } = JSON.parse(line);
  if (loaded !== plugins.length) throw new Error(`${loaded} of ${plugins.length} plugins were loaded: ${line}`, { cause: problems });
  return { ms, us };
}
