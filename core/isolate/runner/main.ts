import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { IN } from "../../../sdk/turn.ts";
import { createChannel } from "../../frames/channel.ts";
import type { HostMessage } from "../protocol/messages.ts";
import { readValue } from "../protocol/values.ts";
import { createChains } from "./chains.ts";
import { createInvocations } from "./invocations.ts";
import { createJobs } from "./jobs.ts";
import { createLoading } from "./loading.ts";
import { createMarks } from "./marks.ts";
import { createIsolateMaker, type MakeIsolate, type Prelude } from "./plugin-isolate.ts";
import { createPrograms } from "./programs.ts";
import type { Resident } from "./residents.ts";
import { createSpeech } from "./speech.ts";
import { createTurns, primitives } from "./turns.ts";

/** The runner: holds isolates, runs chains and calls in them, and ends with the host's end of the socket. */

const STDERR = 2;
const SOCKET = 3;
const MARKS = 4;
const READ_BYTES = 65_536;
const WARM_MB = 16;
/** Milliseconds after which the host gets what was said, where there is more to hear. */
const FLUSH_MS = 0.1;

/** Never an orderly exit: one with isolates at work may hang. */
const die = (): void => void process.kill(process.pid, "SIGKILL");

/** Each read is heard at once, without the stream that is around a socket otherwise. */
let take: (chunk: Buffer) => void = () => {};
const socket = new Socket({
  fd: SOCKET,
  onread: {
    buffer: Buffer.alloc(READ_BYTES),
    callback(bytes, buffer) {
      // The next read writes over it.
      take(Buffer.from(buffer.subarray(0, bytes)));
      return true;
    },
  },
});
socket.on("end", die).on("close", die).on("error", die);

// Heads come from the host, which made them: they are not parsed again.
const jobs = createJobs();
const channel = createChannel(
  socket,
  ({ head, parts }) => jobs.run(() => hear(JSON.parse(head) as HostMessage, parts)),
  (error) => {
    writeSync(STDERR, error instanceof Error ? `${error.stack}\n` : `${error}\n`);
    die();
  },
  {
    flushMs: FLUSH_MS,
    source: (taken) => {
      take = taken;
    },
  },
);
const speech = createSpeech(channel);
const turns = createTurns(createMarks(MARKS), jobs, speech);
const residents = new Map<number, Resident>();
let make: MakeIsolate | undefined;
const makeIsolate: MakeIsolate = (...args) => {
  if (make === undefined) throw new Error("No prelude");
  return make(...args);
};
const loading = createLoading(makeIsolate, turns, speech);
const invocations = createInvocations(residents, loading, turns, jobs, speech);
const programs = createPrograms(makeIsolate, turns, speech);
const chains = createChains(residents, loading, turns, invocations, speech);

function hear(message: HostMessage, parts: readonly string[]): void {
  switch (message.t) {
    case "init": {
      const [code = "", tables = "", describer = ""] = parts;
      const prelude: Prelude = { code, tables, describer };
      make = createIsolateMaker(prelude);
      speech.say({ t: "ready" });
      return;
    }
    case "warm":
      make?.(WARM_MB, false, () => {}).dispose();
      return;
    case "plugin":
      residents.set(message.plugin, residentOf(message, parts, JSON.parse(parts[2] ?? "null")));
      return;
    case "forget": {
      const resident = residents.get(message.plugin);
      residents.delete(message.plugin);
      if (resident?.live) turns.lose(resident.live);
      return;
    }
    case "chain":
      chains.run(message, parts);
      return;
    case "invoke":
      invocations.run(message, parts);
      return;
    case "cancel":
      chains.cancel(message.id);
      invocations.cancel(message.id);
      return;
    case "below": {
      const value = readValue(message.value, parts, []);
      const data = message.data === null ? null : readValue(message.data, parts, []);
      chains.below(message.request, { head: message.below, draft: { value, data } });
      return;
    }
    case "answer":
      turns.answer(message.request, IN.answer, primitives(readValue(message.value, parts, [])));
      return;
    case "refuse":
      turns.answer(message.request, IN.refuse, [message.code, message.message]);
      return;
    case "describe":
      describe(message, parts);
      return;
    case "program":
      programs.run(message, parts);
      return;
    case "ping":
      speech.say({ t: "pong", n: message.n });
      return;
  }
}

function describe(message: Extract<HostMessage, { t: "describe" }>, parts: readonly string[]): void {
  loading.describe(
    residentOf({ ...message, name: "" }, parts, null),
    (manifest) => speech.say({ t: "described", id: message.id, manifest: 0 }, [manifest]),
    (code, text) => speech.say({ t: "failed", id: message.id, failure: { code, message: text, plugin: "" }, cpuMs: 0 }),
  );
}

function residentOf(
  { plugin, name, memoryMb }: { plugin: number; name: string; memoryMb: number },
  parts: readonly string[],
  manifest: unknown,
): Resident {
  const [code = "", options = "{}"] = parts;
  return { plugin, name, memoryMb, code, options, manifest, live: null };
}
