import type { RunLimits, UserInput } from "../../agent/backend.ts";
import type { Clock } from "../../agent/clock.ts";
import type { RunError, SessionEvent } from "../../agent/session-event.ts";
import type { Cli } from "../cli.ts";
import { harmless, visible, visibleLine } from "../visible.ts";
import { driveRun } from "./drive-run.ts";
import { createLines, initLine, type Payload } from "./lines.ts";
import { type Opened, savedOf } from "./opened.ts";
import type { RunResult } from "./result.ts";
import { type Done, exitOf } from "./run-end.ts";
import { createSink, type Sink } from "./sink.ts";
import { createTally } from "./tally.ts";
import { createToldOnce } from "./told-once.ts";
import { ownNames } from "./tool-names.ts";

export type OnceOptions = {
  output: "text" | "json" | "stream-json";
  /** With `json`: all lines as one array. */
  verbose?: boolean;
  /** With `stream-json`: lines of what is not whole yet too. */
  partial?: boolean;
  limits: Partial<RunLimits>;
  exitZeroOnDenial?: boolean;
  clock: Clock;
  graceMs?: number;
};

/** Runs one prompt, and tells how it ended exactly once, whatever happens. Answers the exit code. */
export async function runOnce(opened: Opened, input: UserInput, options: OnceOptions, cli: Cli): Promise<number> {
  const { output, clock, limits } = options;
  const { sessionId } = opened;
  const sink = createSink(cli.stdio);
  const tally = createTally(clock, ownNames);
  const lines = createLines(ownNames, options.partial ?? false);
  const all: object[] = [];
  const unread = new AbortController();

  const send = async (payload: Payload) => {
    const line = { ...payload, session_id: sessionId };
    if (output === "stream-json") await sink.line(line);
    else if (options.verbose && output === "json") all.push(line);
    if (sink.unread()) unread.abort();
  };
  const show = async (event: SessionEvent) => {
    for (const line of lines(event)) await send(line);
    if (output === "text" && event.type === "notice" && event.code === "waits_for_tasks")
      cli.stdio.say(cli.stdio.paintError("dim", visible(event.text)));
  };
  const once = createToldOnce<number>();
  const tell = (done: Done) =>
    once(async () => {
      const result = tally.result(done, { ...savedOf(opened), sessionId, spent: opened.takeSpent?.() });
      if (output === "text") await tellText(result, sink, cli);
      else {
        if (output === "json") cli.stdio.say(`session: ${sessionId}`);
        await sink.line(all.length > 0 ? [...all, result] : result);
      }
      return exitOf(done, result, options.exitZeroOnDenial);
    });

  cli.onCrash(async (error) => {
    cli.stdio.say(visible(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    return tell(tally.cutShort("error", crashed(error)));
  });
  await send(initLine(opened, ownNames));
  const stop = AbortSignal.any([cli.aborted, unread.signal]);
  const grace = options.graceMs === undefined ? {} : { graceMs: options.graceMs };
  return tell(
    await driveRun({ start: () => opened.backend.run({ ...input, waitsForTasks: true }, limits), limits, tally, clock, stop, show, ...grace }),
  );
}

export function crashed(error: unknown): RunError {
  return { code: "internal", message: `Something inside failed: ${error instanceof Error ? error.message : String(error)}` };
}

/** The answer alone, and beside it what a person should know. */
async function tellText(result: RunResult, sink: Sink, { stdio }: Cli): Promise<void> {
  const [error] = result.errors;
  const answer = result.is_error && result.result === error?.message ? "" : result.result;
  if (answer !== "") {
    const shown = stdio.outputIsTerminal ? harmless(answer) : answer;
    await sink.text(shown.endsWith("\n") ? shown : `${shown}\n`);
  }
  for (const { message } of result.errors) stdio.say(`${stdio.paintError("red", "mortise:")} ${visible(message)}`);
  for (const { tool, scopes, source } of result.permission_denials)
    stdio.say(`${stdio.paintError("yellow", "mortise:")} denied (${visibleLine(source)}): ${visibleLine(`${tool} ${scopes.join(", ")}`)}`);
  stdio.say(stdio.paintError("dim", `session: ${result.session_id}`));
}
