import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Message } from "../../core/agent/message.ts";
import { createSessions } from "../../core/session/sessions.ts";
import type { Wanted } from "./goals.ts";
import type { ManySessions } from "./many-sessions.ts";
import { firstLine } from "./processes.ts";
import { type Case, each, mean, type Results, runRounds } from "./rounds.ts";
import { summary } from "./samples.ts";
import type { Layout } from "./table.ts";

const MESSAGES = 10_000;
const LISTED = 1_000;
const AT_ONCE = 200;
const program = fileURLToPath(new URL("many-sessions.ts", import.meta.url));
const text = "A line of what is said and read in a session, of eighty characters or a few more.\n";

/** Logs of sessions: how long they take to open, to be added to and to be listed. */
export async function sessions(times: (count: number) => number, folder: string, progress: (text: string) => void): Promise<Results> {
  const state = join(folder, "sessions-state");
  const all = createSessions(state);
  const options = { model: "embedded/scripted", backend: "ai-sdk", cwd: folder } as const;
  const log = join(state, "sessions", "long.jsonl");
  const long = await all.create({ ...options, id: "long" });
  const written: Promise<void>[] = [];
  for (let i = 0; i < MESSAGES / 4; i++) for (const message of roundOf(i)) written.push(long.append(message));
  await Promise.all(written);
  await long.end("end_turn");
  await long.close();

  const many = createSessions(join(folder, "sessions-listed"));
  await mkdir(join(folder, "sessions-listed/sessions"), { recursive: true });
  const first = await many.create({ ...options, id: "s-0" });
  for (const message of roundOf(0)) await first.append(message);
  await first.end("end_turn");
  await first.close();
  const small = await readFile(join(folder, "sessions-listed/sessions/s-0.jsonl"), "utf8");
  for (let i = 1; i < LISTED; i++) await writeFile(join(folder, `sessions-listed/sessions/s-${i}.jsonl`), small.replace('"s-0"', `"s-${i}"`));

  const growing = await all.create({ ...options, id: "growing" });
  let round = 0;
  const cases: Case[] = [
    {
      name: "session: lines in Node",
      sample: () =>
        each(2, async () =>
          (await readFile(log, "utf8"))
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line)),
        ),
    },
    {
      name: "session: open",
      sample: () =>
        each(2, async () => {
          const session = await all.open("long");
          if (session.state.messages.length !== MESSAGES) throw new Error(`${session.state.messages.length} messages`);
          await session.close();
        }),
    },
    {
      name: "session: message",
      sample: () => mean(50, () => growing.append({ role: "user", text })),
    },
    {
      name: "session: result",
      sample: async () => {
        const toolIds = Array.from({ length: 10 }, () => `t${round++}`);
        await growing.append({ role: "assistant", model: "m", parts: toolIds.map((toolId) => ({ type: "call", toolId, tool: "read", input: {} })) });
        const values: number[] = [];
        for (const toolId of toolIds) values.push(...(await each(1, () => growing.addResult({ toolId, tool: "read", text, isError: false }))));
        return values;
      },
    },
    {
      name: "session: list",
      sample: () =>
        each(2, async () => {
          if ((await many.list()).length !== LISTED) throw new Error("Not all were listed");
        }),
    },
    { name: "session: latest", sample: () => each(2, () => many.latest(folder)) },
  ];
  try {
    const results = await runRounds(cases, times(15), times(3), progress);
    const at = await atOnce(times(3), folder);
    results.set("sessions at once", { unit: "us", rounds: [at.map(({ ms }) => ms * 1_000)] });
    results.set("sessions at once: memory", { unit: "MB", rounds: [at.map(({ peakMb }) => peakMb)] });
    return results.set("session: bytes", { unit: "MB", rounds: [[(await stat(log)).size / 1024 / 1024]] });
  } finally {
    await growing.close();
  }
}

/** Programs that let many sessions work at the same time, each with a call of a real tool. */
async function atOnce(repeats: number, folder: string): Promise<ManySessions[]> {
  const ran: ManySessions[] = [];
  for (let i = 0; i < repeats; i++) {
    const { line } = await firstLine(process.execPath, [program, String(AT_ONCE), join(folder, `many-${i}`)]);
    ran.push(JSON.parse(line));
  }
  return ran;
}

export const sessionsLayout: Layout = [
  {
    title: "A session of 10,000 messages",
    ratioTo: "to Node",
    lines: [
      { name: "its log", of: "session: bytes" },
      { name: "reading and parsing its lines in Node", of: "session: lines in Node" },
      { name: "opening it", of: "session: open", against: "session: lines in Node" },
    ],
  },
  {
    title: "What is added to a log",
    lines: [
      { name: "a message", of: "session: message" },
      { name: "a result, on the disk", of: "session: result" },
    ],
  },
  {
    title: `${AT_ONCE} sessions at once in one program, each with a call of a tool`,
    lines: [
      { name: "all of them", of: "sessions at once" },
      { name: "memory of all processes", of: "sessions at once: memory" },
    ],
  },
  {
    title: "1,000 sessions",
    lines: [
      { name: "listed", of: "session: list" },
      { name: "the last one of a folder", of: "session: latest" },
    ],
  },
];

export const sessionsGoals: readonly Wanted[] = [
  { name: "10,000 messages opened", bound: { most: 300_000 }, unit: "us", measure: (get) => summary(get("session: open")) },
  {
    name: "200 sessions at once, memory of all processes",
    bound: { most: 1_536 },
    unit: "MB",
    measure: (get) => summary(get("sessions at once: memory")),
  },
  { name: "1,000 sessions listed", bound: { most: 300_000 }, unit: "us", measure: (get) => summary(get("session: list")) },
];

/** A question, a call, its result and an answer. */
function roundOf(i: number): Message[] {
  const toolId = `t${i}`;
  return [
    { role: "user", text: `${i} ${text}` },
    { role: "assistant", model: "m", parts: [{ type: "call", toolId, tool: "read", input: { path: `src/file-${i}.ts`, offset: i } }] },
    { role: "tool", results: [{ toolId, tool: "read", text: text.repeat(20), isError: false }] },
    { role: "assistant", model: "m", parts: [{ type: "text", text: text.repeat(3) }] },
  ];
}
