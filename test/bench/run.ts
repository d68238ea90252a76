import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { agentLoop } from "./agent.ts";
import { calls } from "./calls.ts";
import { commandLine } from "./command-line.ts";
import { kill, spin } from "./containment.ts";
import { files } from "./files.ts";
import { goals } from "./goals.ts";
import { hooks } from "./hooks.ts";
import { inProcess } from "./in-process.ts";
import { indexReal } from "./index-real.ts";
import { memory } from "./memory.ts";
import { nested } from "./nested.ts";
import { permission } from "./permission.ts";
import { type Results, runRounds } from "./rounds.ts";
import { searching } from "./searching.ts";
import { sessions } from "./sessions.ts";
import { starts } from "./starts.ts";
import { printed, sections } from "./table.ts";

type Scale = (count: number) => number;
type Progress = (text: string) => void;

const root = fileURLToPath(new URL("../..", import.meta.url));

const groups: Readonly<Record<string, (times: Scale, folder: string, progress: Progress) => Promise<Results>>> = {
  async calls(times, _folder, progress) {
    const through = await calls();
    try {
      const measured = await runRounds([...through.cases, ...inProcess(), ...(await hooks())], times(40), times(5), progress);
      return measured.set("empty call messages", { unit: "count", rounds: [[await through.emptyCallMessages()]] });
    } finally {
      await through.close();
    }
  },
  agent: agentLoop,
  permission,
  files,
  searching,
  sessions,
  nested,
  starts: async (times, folder, progress) => runRounds([...(await commandLine(folder)), ...(await starts(folder))], times(15), 1, progress),
  memory: (times) => memory(times(5)),
  containment: async (times) => new Map([...(await spin(times(5))), ...(await kill(times(10)))]),
  index: indexReal,
};

/** Fetches packages, so only where it is asked for. */
const onDemand = ["index"];

/** Measures, prints a table and writes JSON. Answers the exit code: a missed goal counts with `--assert` only, what could not be measured always. */
export async function bench(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { quick: { type: "boolean" }, assert: { type: "boolean" }, only: { type: "string" } },
  });
  const times: Scale = (count) => Math.max(Math.round(count * (values.quick ? 0.2 : 1)), 2);
  const [load = 0] = loadavg();
  const { results, failed } = await measure(values.only?.split(",") ?? Object.keys(groups).filter((name) => !onDemand.includes(name)), times);
  const all = sections(results);
  const reached = goals(results);

  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const [node, { platform, arch }, cores] = [process.versions.node, process, availableParallelism()];
  const file = resolve(positionals[0] ?? join(root, "dist/bench.json"));
  await mkdir(dirname(file), { recursive: true });
  const written = { mortise: version, node, platform, arch, cores, load, sections: all, goals: reached, failed };
  await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);

  const busy = load > cores / 2 ? "The machine had other work to do when this began: believe the ratios more than the times.\n" : "";
  process.stdout.write(`Mortise ${version}, Node ${node}, ${platform} ${arch}, ${cores} cores, load ${load.toFixed(1)}\n${busy}\n`);
  process.stdout.write(`${printed(all, reached)}\nWritten to ${file}\n`);
  for (const text of failed) process.stderr.write(`Not measured: ${text}\n`);
  return failed.length > 0 || (values.assert && reached.some(({ met }) => !met)) ? 1 : 0;
}

/** One group after another. The user's own settings, caches and plugins are left alone. */
async function measure(names: readonly string[], times: Scale): Promise<{ results: Results; failed: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "mortise-bench-"));
  for (const kind of ["CONFIG", "CACHE", "STATE"]) process.env[`MORTISE_${kind}_HOME`] = join(folder, kind.toLowerCase());
  const results: Results = new Map();
  const failed: string[] = [];
  for (const name of names) {
    try {
      const group = groups[name];
      if (group === undefined) throw new Error(`There are ${Object.keys(groups).join(", ")}`);
      tell(name);
      for (const [of, samples] of await group(times, folder, (text) => tell(`${name}: ${text}`))) results.set(of, samples);
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  tell("");
  await rm(folder, { recursive: true, force: true });
  return { results, failed };
}

/** On a terminal only: one line that is written over. */
function tell(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
