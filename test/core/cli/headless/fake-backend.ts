import type { Backend, Run, RunLimits, UserInput } from "../../../../core/agent/backend.ts";
import { createChannel } from "../../../../core/agent/channel.ts";
import type { CallMarks, SessionEvent } from "../../../../core/agent/session-event.ts";
import type { Cli } from "../../../../core/cli/cli.ts";
import type { Opened } from "../../../../core/cli/headless/opened.ts";

export type Done = Extract<SessionEvent, { type: "done" }>;

/** What a run does: it plays events, and may wait, or throw. */
export type Play = (run: {
  emit(...events: SessionEvent[]): void;
  input: UserInput;
  limits: Partial<RunLimits>;
  cancelled: AbortSignal;
}) => Promise<void> | void;

export type FakeBackend = Backend & {
  readonly inputs: readonly UserInput[];
  readonly limits: readonly Partial<RunLimits>[];
  readonly models: readonly string[];
  cancels(): number;
};

/** A backend whose runs do what the plays say, one after another; the last one again for those after it. */
export function fakeBackend(...plays: readonly Play[]): FakeBackend {
  const inputs: UserInput[] = [];
  const limitsOf: Partial<RunLimits>[] = [];
  const models: string[] = [];
  let cancels = 0;
  return {
    kind: "ai-sdk",
    inputs,
    limits: limitsOf,
    models,
    cancels: () => cancels,
    run(input, limits = {}): Run {
      const play = plays[Math.min(inputs.length, plays.length - 1)];
      inputs.push(input);
      limitsOf.push(limits);
      const channel = createChannel<SessionEvent>();
      const cancelled = new AbortController();
      const emit = (...events: SessionEvent[]) => {
        for (const event of events) channel.push(event);
      };
      void (async () => {
        await play?.({ emit, input, limits, cancelled: cancelled.signal });
        channel.end();
      })();
      return {
        events: channel.values,
        cancel() {
          cancels++;
          cancelled.abort();
        },
        say: async () => "not_delivered",
      };
    },
    compact() {
      throw new Error("not played");
    },
    async setModel(model) {
      if (!model.includes("/")) throw new Error(`no model ${model}`);
      models.push(model);
    },
    close: async () => {},
  };
}

export const usage = { input: 10, output: 5, cacheRead: 2, cacheWrite: 1 };

export function done(over: Partial<Done> = {}): Done {
  return {
    type: "done",
    reason: "end_turn",
    error: null,
    text: "Done.",
    usage,
    costUsd: 0.5,
    turns: 1,
    contextTokens: 100,
    contextWindow: 1_000,
    ...over,
  };
}

export function turn(number: number, text: string, calls: readonly { toolId: string; tool: string; input: unknown }[] = []): SessionEvent[] {
  return [
    { type: "turn_start", turn: number },
    ...(text === "" ? [] : [{ type: "text_delta", text } as const]),
    { type: "turn_end", turn: number, text, calls, model: "fake/one", usage, costUsd: 0.25, contextTokens: 100, contextWindow: 1_000 },
  ];
}

export const unmarked: CallMarks = {
  rewrittenBy: [],
  allowedBy: null,
  stoppedBy: null,
  respondedBy: null,
  permission: { decision: "allow", source: "rules", scopes: [] },
  nested: [],
};

export function deniedMarks(text: string, source = "nobody"): CallMarks {
  return { ...unmarked, permission: { decision: "deny", source, scopes: [{ kind: "command", text, effect: "uncovered", rule: null }] } };
}

export function toolDone(toolId: string, tool: string, input: unknown, text: string, marks: CallMarks = unmarked, isError = false): SessionEvent {
  return { type: "tool_done", toolId, tool, input, text, isError, images: [], marks, durationMs: 1 };
}

/** Waits until the run is cancelled. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

export function openedWith(backend: Backend, over: Partial<Opened> = {}): Opened {
  return { backend, sessionId: "s1", cwd: "/w/app", model: "fake/one", tools: ["bash", "read"], saved: () => true, ...over };
}

export type FakeCli = Cli & {
  out(): string;
  err(): string;
  /** What was written, as JSON values. */
  lines(): Record<string, unknown>[];
  signal(): void;
  crash(error: unknown): Promise<number>;
  /** Nobody reads any more. */
  leave(): void;
};

export function fakeCli(): FakeCli {
  const stop = new AbortController();
  let [out, err, isLeft] = ["", "", false];
  let tell: (error: unknown) => Promise<number> = async () => 1;
  return {
    stdio: {
      async write(text) {
        if (!isLeft) out += text;
      },
      async json(value) {
        if (!isLeft) out += `${JSON.stringify(value)}\n`;
      },
      say(line) {
        err += `${line}\n`;
      },
      live() {},
      withoutLive: (work) => work(),
      showsLive: false,
      paint: (_style, text) => text,
      paintError: (_style, text) => text,
      outputIsTerminal: false,
      interactive: false,
      flush: async () => {},
      unread: () => isLeft,
      failure: () => undefined,
    },
    aborted: stop.signal,
    onCrash(told) {
      tell = told;
    },
    out: () => out,
    err: () => err,
    lines: () =>
      out
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    signal: () => stop.abort(),
    crash: (error) => tell(error),
    leave() {
      isLeft = true;
    },
  };
}
