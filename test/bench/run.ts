import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { calls } from "./calls.ts";
import { commandLine } from "./command-line.ts";
import { kill, spin } from "./containment.ts";
import { goals } from "./goals.ts";
import { hooks } from "./hooks.ts";
import { inProcess } from "./in-process.ts";
import { memory } from "./memory.ts";
import { type Results, runRounds } from "./rounds.ts";
import { starts } from "./starts.ts";
import { printed, sections } from "./table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const groups = ["calls", "starts", "memory", "containment"] as const;

/** Measures, prints a table and writes JSON. Answers the exit code: a missed goal counts with `--assert` only. */
export async function bench(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { quick: { type: "boolean" }, assert: { type: "boolean" }, only: { type: "string" } },
  });
  const only = values.only?.split(",") ?? groups;
  const scale = values.quick === true ? 0.2 : 1;
  const times = (count: number) => Math.max(Math.round(count * scale), 2);

  const folder = await mkdtemp(join(tmpdir(), "mortise-bench-"));
  for (const kind of ["CONFIG", "CACHE", "STATE"]) process.env[`MORTISE_${kind}_HOME`] = join(folder, kind.toLowerCase());

  const results: Results = new Map();
  const failed: string[] = [];
  const measure = async (group: (typeof groups)[number], work: (progress: (text: string) => void) => Promise<Results>) => {
    if (!only.includes(group)) return;
    try {
      for (const [name, samples] of await work((text) => process.stderr.write(`${group}: ${text}\n`))) results.set(name, samples);
    } catch (error) {
      failed.push(`${group}: ${error instanceof Error ? error.stack : error}`);
    }
  };

  await measure("calls", async (progress) => {
    const through = await calls();
    try {
      const measured = await runRounds([...through.cases, ...inProcess(), ...(await hooks())], times(40), times(5), progress);
      return measured.set("empty call messages", { unit: "count", rounds: [[await through.emptyCallMessages()]] });
    } finally {
      await through.close();
    }
  });
  await measure("starts", async (progress) => runRounds([...(await commandLine(folder)), ...(await starts(folder))], times(15), 1, progress));
  await measure("memory", (progress) => {
    progress("20 idle plugins");
    return memory(times(5));
  });
  await measure("containment", async (progress) => {
    progress("a plugin that spins");
    const spun = await spin(times(5));
    progress("a killed runner");
    return new Map([...spun, ...(await kill(times(10)))]);
  });
  await rm(folder, { recursive: true, force: true });

  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const machine = { mortise: version, node: process.versions.node, platform: process.platform, arch: process.arch, cores: availableParallelism() };
  const table = sections(results);
  const reached = goals(results);
  const file = resolve(positionals[0] ?? join(root, "dist/bench.json"));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...machine, sections: table, goals: reached, failed }, null, 2)}\n`);

  process.stdout.write(`Mortise ${version}, Node ${machine.node}, ${machine.platform} ${machine.arch}, ${machine.cores} cores\n\n`);
  process.stdout.write(printed(table, reached));
  process.stdout.write(`\nWritten to ${file}\n`);
  for (const text of failed) process.stderr.write(`Not measured: ${text}\n`);
  return failed.length > 0 || (values.assert === true && reached.some(({ met }) => !met)) ? 1 : 0;
}
