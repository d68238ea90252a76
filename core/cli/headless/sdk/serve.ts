import type { RunLimits } from "../../../agent/backend.ts";
import type { Clock } from "../../../agent/clock.ts";
import type { Cli } from "../../cli.ts";
import { exits } from "../../exits.ts";
import { visible } from "../../visible.ts";
import type { Instructions } from "../instructions.ts";
import { initLine, type Payload } from "../lines.ts";
import type { Opened } from "../opened.ts";
import { crashed } from "../run-once.ts";
import { sdkNames } from "../tool-names.ts";
import type { Asks } from "./asks.ts";
import { answerControl } from "./controls.ts";
import { parseInbound } from "./inbound.ts";
import { inputLines } from "./input-lines.ts";
import type { Outbox } from "./outbox.ts";
import { createRuns, type Queued } from "./runs.ts";
import { sdkLine } from "./sdk-lines.ts";

export type ServeOptions = {
  /** Lines of the other side. */
  input: AsyncIterable<Uint8Array | string>;
  outbox: Outbox;
  asks: Asks;
  partial?: boolean;
  /** Turns and time of each message's run; cost and tokens of all of them together. */
  limits: Partial<RunLimits>;
  /** What the model is told, for the other side to change. */
  instructions?: Instructions;
  /** Whether a message waits while another is worked on; it is refused otherwise. On unless said. */
  queues?: boolean;
  exitZeroOnDenial?: boolean;
  clock: Clock;
  graceMs?: number;
};

/**
 * Serves one session to a program that speaks the SDK protocol: runs its messages one after another, and tells how each ended exactly once.
 * Ends when the input has, all messages are answered, and what works in the background has reported. Answers the exit code of the last run.
 */
export async function serve(opened: Opened, options: ServeOptions, cli: Cli): Promise<number> {
  const { asks, outbox } = options;
  const queue: Queued[] = [];
  const instructions = options.instructions ?? { system: undefined, append: undefined };
  const unread = new AbortController();
  const stop = AbortSignal.any([cli.aborted, unread.signal]);
  let isRead = false;
  let wake = () => {};
  let exit: number = exits.ok;

  const warn = (text: string) => cli.stdio.say(`${cli.stdio.paintError("yellow", "mortise:")} ${visible(text)}`);
  const send = async (payload: Payload) => {
    await outbox.send(sdkLine(payload), opened.sessionId);
    if (outbox.unread()) unread.abort();
  };
  const runs = createRuns({ ...options, opened, stop, send });
  const interrupt = async ({ cancelsQueued = false } = {}) => {
    const cancelled = cancelsQueued ? queue.splice(0, queue.length) : [];
    for (const { drop } of cancelled) drop?.();
    const queued = idsOf(queue);
    await runs.interrupt();
    return { queued, cancelled: idsOf(cancelled) };
  };
  const refuse = (why: string) => runs.refuse({ code: "unsupported", message: why });

  const hear = (line: string | undefined) => {
    const said = line === undefined ? ({ type: "unknown", why: "it is too long" } as const) : parseInbound(line);
    switch (said.type) {
      case "user":
        if (said.skipped > 0) warn(`${said.skipped} parts of a message are neither text nor an image that models take, and were left out.`);
        if (options.queues === false && (runs.isWorking() || queue.length > 0)) return void runs.turnAway(busy);
        queue.push({
          start: (limits) => opened.backend.run({ text: said.text, images: said.images, source: "headless" }, limits),
          uuid: said.uuid,
        });
        return wake();
      case "control_request":
        return void answerControl(said, { asks, interrupt, backend: opened.backend, model: opened.model, instructions, warn, refuse, send });
      case "control_response":
        if (!asks.answer(said.requestId, said.verdict)) warn(`Nothing waits for an answer to ${JSON.stringify(said.requestId)}.`);
        return;
      case "control_cancel_request":
        asks.answer(said.requestId, { behavior: "deny", message: undefined, interrupts: false });
        return;
      case "unknown":
        warn(`A line of standard input was ignored: ${said.why}.`);
    }
  };
  const read = async () => {
    try {
      for await (const line of inputLines(options.input)) hear(line);
    } catch (error) {
      if (!stop.aborted) warn(`Standard input failed: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      isRead = true;
      asks.close();
      wake();
    }
  };
  asks.connect({
    send,
    passesYolo: async (request) => (await opened.passesYolo?.(request)) ?? false,
    keep: async (rules) => opened.addRules?.(rules),
    onInterrupt: () => void interrupt(),
  });
  cli.onCrash(async (error) => {
    cli.stdio.say(visible(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    await runs.crash(crashed(error));
    return exits.failed;
  });
  opened.onWake?.((woken) => {
    queue.push({ start: () => woken, drop: woken.cancel });
    wake();
  });
  let atWork = 0;
  opened.onTasks?.((working) => {
    atWork = working.length;
    wake();
  });
  stop.addEventListener("abort", () => wake(), { once: true });
  const { cwd, tools, model } = opened;
  const rest = {
    permissionMode: asks.mode(),
    apiKeySource: "none",
    mcp_servers: [],
    slash_commands: [],
    output_style: "default",
    skills: [],
    plugins: [],
  };
  await send(initLine({ cwd, tools, model }, sdkNames, rest));
  void read();
  for (;;) {
    const next = queue.shift();
    if (next !== undefined) exit = await runs.run(next);
    else if ((isRead && atWork === 0) || stop.aborted) {
      // What came when the last run ended starts one of its own just after it.
      await new Promise((resolve) => setImmediate(resolve));
      if (queue.length === 0 || stop.aborted) break;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  // Whoever waits for a result gets one, also where a signal came before anything began.
  if (stop.aborted && runs.told() === 0) await runs.run(undefined);
  return exit;
}

const busy = { code: "busy", message: "Another message is worked on, and none waits: send it again after the result of that one." };

function idsOf(queue: readonly { uuid?: string | undefined }[]): string[] {
  return queue.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
}
