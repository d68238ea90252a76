import type { Run, RunLimits } from "../../../agent/backend.ts";
import type { Clock } from "../../../agent/clock.ts";
import type { RunError, SessionEvent } from "../../../agent/session-event.ts";
import type { Cli } from "../../cli.ts";
import { exits } from "../../exits.ts";
import { visible } from "../../visible.ts";
import { driveRun } from "../drive-run.ts";
import type { Instructions } from "../instructions.ts";
import { createLines, initLine, type Payload } from "../lines.ts";
import type { Opened } from "../opened.ts";
import { type Done, factsOf } from "../run-end.ts";
import { crashed } from "../run-once.ts";
import { createTally, type Tally } from "../tally.ts";
import { createToldOnce } from "../told-once.ts";
import { sdkNames } from "../tool-names.ts";
import type { Asks } from "./asks.ts";
import { answerControl } from "./controls.ts";
import { parseInbound } from "./inbound.ts";
import { inputLines } from "./input-lines.ts";
import type { Outbox } from "./outbox.ts";
import { createSdkResults, sdkLine } from "./sdk-lines.ts";

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

/** Something to run, in its turn. */
type Queued = {
  start(limits: Partial<RunLimits>): Run;
  uuid?: string | undefined;
  /** Ends what works already. */
  drop?(): void;
};

/**
 * Serves one session to a program that speaks the SDK protocol: runs its messages one after another, and tells how each ended exactly once.
 * Ends when the input has, and all messages are answered. Answers the exit code of the last run.
 */
export async function serve(opened: Opened, options: ServeOptions, cli: Cli): Promise<number> {
  const { asks, outbox, clock } = options;
  const queue: Queued[] = [];
  const results = createSdkResults();
  const instructions = options.instructions ?? { system: undefined, append: undefined };
  const unread = new AbortController();
  const stop = AbortSignal.any([cli.aborted, unread.signal]);
  let current: { tally: Tally; tell(done: Done): Promise<number>; interrupt: AbortController; ended: Promise<unknown> } | undefined;
  let refused: RunError | undefined;
  let told = 0;
  let isWorking = false;
  let isRead = false;
  let wake = () => {};
  let exit: number = exits.ok;

  const warn = (text: string) => cli.stdio.say(`${cli.stdio.paintError("yellow", "mortise:")} ${visible(text)}`);
  const send = async (payload: Payload) => {
    await outbox.send(sdkLine(payload), opened.sessionId);
    if (outbox.unread()) unread.abort();
  };
  const interrupt = async ({ cancelsQueued = false } = {}) => {
    current?.interrupt.abort();
    const cancelled = cancelsQueued ? queue.splice(0, queue.length) : [];
    for (const { drop } of cancelled) drop?.();
    await current?.ended;
    return { queued: idsOf(queue), cancelled: idsOf(cancelled) };
  };

  const refuse = (why: string) => {
    refused = { code: "unsupported", message: why };
    current?.interrupt.abort();
  };

  /** Its result comes at once, between the lines of the other. */
  const refuseMessage = () => {
    const message = "Another message is worked on, and none waits: send it again after the result of that one.";
    const tally = createTally(clock, sdkNames);
    const result = tally.result(tally.cutShort("error", { code: "busy", message }), { sessionId: opened.sessionId, saved: opened.saved() });
    return send(results.line(result));
  };

  const hear = (line: string | undefined) => {
    const said = line === undefined ? ({ type: "unknown", why: "it is too long" } as const) : parseInbound(line);
    switch (said.type) {
      case "user":
        if (said.skipped > 0) warn(`${said.skipped} parts of a message are neither text nor an image that models take, and were left out.`);
        if (options.queues === false && (isWorking || queue.length > 0)) return void refuseMessage();
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
  /** Nothing is started any more after a signal, or where it was refused, or a limit was reached: then the end is told alone. */
  const run = async (next: Queued | undefined): Promise<number> => {
    const tally = createTally(clock, sdkNames);
    const lines = createLines(sdkNames, options.partial ?? false);
    const once = createToldOnce<number>();
    const tell = (done: Done) =>
      once(async () => {
        told++;
        // Whoever has the result may send the next message.
        isWorking = false;
        const result = tally.result(done, { sessionId: opened.sessionId, saved: opened.saved(), spent: opened.takeSpent?.() });
        await send(results.line(result));
        const { exit: code } = factsOf(done);
        return code === exits.ok && result.permission_denials.length > 0 && options.exitZeroOnDenial !== true ? exits.permission : code;
      });
    const show = async (event: SessionEvent) => {
      for (const line of lines(event)) await send(line);
    };
    const ended = Promise.withResolvers<void>();
    const own = new AbortController();
    isWorking = true;
    current = { tally, tell, interrupt: own, ended: ended.promise };
    const limits = results.left(options.limits);
    try {
      if (next === undefined || typeof limits === "string" || refused !== undefined || stop.aborted) {
        next?.drop?.();
        if (refused !== undefined) return await tell(tally.cutShort("error", refused));
        return await tell(tally.cutShort(typeof limits === "string" ? limits : "cancelled"));
      }
      return await tell(
        await driveRun({
          start: () => next.start(limits),
          limits,
          tally,
          clock,
          stop: AbortSignal.any([stop, own.signal]),
          show,
          ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
        }),
      );
    } finally {
      current = undefined;
      ended.resolve();
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
    refused = crashed(error);
    if (current !== undefined) await current.tell(current.tally.cutShort("error", refused));
    else if (told === 0) await run(undefined);
    return exits.failed;
  });
  opened.onWake?.((woken) => {
    queue.push({ start: () => woken, drop: woken.cancel });
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
    if (next !== undefined) exit = await run(next);
    else if (isRead || stop.aborted) break;
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  // Whoever waits for a result gets one, also where a signal came before anything began.
  if (stop.aborted && told === 0) await run(undefined);
  return exit;
}

function idsOf(queue: readonly { uuid?: string | undefined }[]): string[] {
  return queue.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
}
