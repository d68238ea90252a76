// A program of its own: `node many-sessions.ts COUNT FOLDER` lets so many sessions work at once and prints what its processes took, as JSON.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSessions } from "../../core/session/sessions.ts";
import { built, builtAgent } from "./built.ts";

export type ManySessions = { sessions: number; ms: number; peakMb: number; processes: number };

const [count = "200", folder = "."] = process.argv.slice(2);
const project = join(folder, "project");
mkdirSync(project, { recursive: true });
for (const name of ["a.ts", "b.ts", "c.txt"]) writeFileSync(join(project, name), "");
process.stdout.write(`${JSON.stringify(await work(Number(count)))}\n`);
process.exit(0);

async function work(wanted: number): Promise<ManySessions> {
  const [{ createHost }, { createAgent, openModel }] = await Promise.all([built(), builtAgent()]);
  const state = join(folder, "state");
  const host = await createHost({ cwd: project, yolo: true, stateFolder: state });
  const sessions = createSessions(state);
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, treeMb().mb);
  }, 500);
  const started = performance.now();
  const one = async () => {
    const session = await sessions.create({ model: "embedded/scripted", backend: "ai-sdk", cwd: project });
    const model = await openModel("embedded/scripted", { models: {} }, { cwd: project });
    const agent = createAgent({ host, model, journal: session, sessionId: session.id });
    let called = 0;
    for await (const event of agent.run({ text: "how many TypeScript files are here?", source: "headless" }).events) {
      if (event.type === "tool_done" && !event.isError) called++;
      if (event.type === "done" && (event.reason !== "end_turn" || called === 0 || !event.text.includes("2 TypeScript files")))
        throw new Error(`${session.id} ended with ${event.reason}: ${event.error?.message ?? event.text}`);
    }
    return { agent, session };
  };
  const all = await Promise.all(Array.from({ length: wanted }, one));
  const ms = performance.now() - started;
  clearInterval(watch);
  const { mb, processes } = treeMb();
  peakMb = Math.max(peakMb, mb);
  for (const { agent, session } of all) {
    await agent.close();
    await session.close();
  }
  await host.close();
  return { sessions: all.length, ms, peakMb, processes };
}

/** What this process and all below it take of the memory, shared pages counted once where the system tells; in MB. */
function treeMb(): { mb: number; processes: number } {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  const tree = new Set([process.pid]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const [pid = 0, parent = 0] of rows) if (tree.has(parent)) tree.add(pid);
  }
  let mb = 0;
  for (const [pid = 0, , rss = 0] of rows) if (tree.has(pid)) mb += (proportionalKb(pid) ?? rss) / 1024;
  return { mb, processes: tree.size };
}

function proportionalKb(pid: number): number | undefined {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}
