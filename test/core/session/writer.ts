// A process of its own that works with sessions: `append STATE ID COUNT`, `claim STATE ID`, `fill STATE ID`.
import { writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { createSessions } from "../../../core/session/sessions.ts";
import { MortiseError } from "../../../sdk/errors.ts";

const [work, state = "", id = "", count = "1000000"] = process.argv.slice(2);
const sessions = createSessions(state, { rewriteBytes: 20_000 });
const options = { id, model: "embedded/scripted", backend: "ai-sdk", cwd: tmpdir() } as const;
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);

if (work === "append") await append();
if (work === "claim") await claim();
if (work === "fill") await fill();

/** Runs of a message, calls and results; says what is stored once it is. Goes back now and then, so that the log is also written anew. */
async function append(): Promise<void> {
  const session = await sessions.open(id).catch(() => sessions.create(options));
  const from = session.state.messages.length;
  for (let i = from; i < from + Number(count); i++) {
    const text = `${i} ${"x".repeat((i * 131) % 3_000)}`;
    await session.append({ role: "user", text: `asks ${text}` });
    say(`asks ${text}`);
    const ids = Array.from({ length: i % 4 }, (_, n) => `${i}-${n}`);
    await session.append({ role: "assistant", parts: ids.map((toolId) => ({ type: "call", toolId, tool: "read", input: {} })), model: "m" });
    await Promise.all(
      ids.toReversed().map(async (toolId) => {
        await session.addResult({ toolId, tool: "read", text: `result ${toolId} ${text}`, isError: false });
        say(`result ${toolId} ${text}`);
      }),
    );
    await session.end("end_turn");
    if (i % 9 === 8) {
      say({ forgets: i });
      await session.replace([{ role: "user", text: `summary ${i}` }, ...session.state.messages.slice(-4)]);
      say({ forgot: i });
    }
  }
  await session.close();
}

/** Says whether it has the session, and keeps it until its input ends. */
async function claim(): Promise<void> {
  try {
    const session = await sessions.open(id);
    say("has it");
    await new Promise((resolve) => process.stdin.once("end", resolve).resume());
    await session.close();
  } catch (cause) {
    say(cause instanceof MortiseError ? cause.code : String(cause));
  }
}

/** Appends until the system refuses, says so, and goes on with little. */
async function fill(): Promise<void> {
  // Else the system ends the process instead of refusing the write.
  process.on("SIGXFSZ", () => {});
  const session = await sessions.create(options);
  const stored: string[] = [];
  try {
    for (let i = 0; ; i++) {
      const text = `${i} ${"x".repeat(7_000)}`;
      await session.append({ role: "user", text });
      stored.push(String(i));
    }
  } catch (cause) {
    say({ code: cause instanceof MortiseError ? cause.code : String(cause), stored: stored.length, saved: session.saved() });
  }
  await session.close();
}
