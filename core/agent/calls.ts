import { MortiseError, sentence } from "../../sdk/errors.ts";
import type { CallRecord } from "../record.ts";
import type { Call } from "../session/valid-history.ts";
import type { RunContext } from "./agent-state.ts";
import type { Answer } from "./answer.ts";
import { callSummary } from "./call-summary.ts";
import { idleTimer } from "./idle-timer.ts";
import { marksOf, unmarked } from "./marks.ts";
import type { ToolResultPart } from "./message.ts";
import { unrun } from "./notes.ts";
import type { Repeat } from "./repeats.ts";
import type { CallMarks } from "./session-event.ts";
import { waitForPerson } from "./waiting.ts";

const refusals: Readonly<Record<Repeat, string>> = {
  same: "The call was not run: it is the same as the calls before it. Its result will not change. Try something else, or say what keeps you from it.",
  cycle: "The call was not run: these calls go round in a circle, with the same results. Try something else, or say what keeps you from it.",
  same_error: "The same error came several times in a row. Do something else before trying again, or say what keeps you from it.",
};

/**
 * Runs the calls of an answer side by side, and adds their results in the order of the calls. One that was cut off, or goes round in circles, is not run.
 * Answers whether all of them went round in circles.
 */
export async function runCalls(run: RunContext, calls: readonly Call[], { broken }: Answer): Promise<boolean> {
  const { history, gauge } = run.agent;
  const repeats = calls.map(({ toolId, tool, input }) => (broken.has(toolId) || run.polling.has(tool) ? undefined : run.repeats.call(tool, input)));
  const done: ToolResultPart[] = [];
  let stuck = 0;
  let isOver = false;
  const all = Promise.all(
    calls.map(async (call, i) => {
      const repeat = repeats[i];
      if (repeat !== undefined) stuck++;
      const fault = broken.get(call.toolId) ?? (repeat === undefined ? undefined : refusals[repeat]);
      if (repeat !== undefined) run.emit({ type: "loop_detected", toolId: call.toolId, tool: call.tool, kind: repeat });
      const { result, show } = fault === undefined ? await runOne(run, call) : refused(run, call, fault);
      if (repeat === undefined && !run.polling.has(call.tool) && run.repeats.result(call.tool, call.input, result)) {
        stuck++;
        result.text = `${result.text}\n\n[${refusals.same_error}]`;
        run.emit({ type: "loop_detected", toolId: call.toolId, tool: call.tool, kind: "same_error" });
      }
      // After the run ended without it, its result is made up already.
      if (isOver) return;
      done.push(result);
      await run.keep(run.agent.journal.addResult(result));
      await run.prompted;
      show();
    }),
  );
  await unlessGraceIsOver(all, run);
  isOver = true;
  const made = history.addResults(done, missingText(run));
  for (const result of made) await run.keep(run.agent.journal.addResult(result));
  const results = history.messages.at(-1);
  if (results !== undefined) gauge.appended(results);
  return stuck === calls.length;
}

/** Closes calls that are not to be run any more. */
export async function closeCalls(run: RunContext): Promise<void> {
  for (const result of run.agent.history.addResults([], missingText(run))) await run.keep(run.agent.journal.addResult(result));
}

type Ran = { result: ToolResultPart & { text: string }; show(): void };

async function runOne(run: RunContext, { toolId, tool, input }: Call): Promise<Ran> {
  const { host, audience, sessionId, timers, clock } = run.agent;
  const stop = new AbortController();
  const idle = idleTimer(clock, timers.toolIdleMs, () =>
    stop.abort(new MortiseError("deadline_passed", { seen: `${tool} gave no sign of life for ${timers.toolIdleMs / 1000} s` })),
  );
  const waiting = waitForPerson(run, (reason) => stop.abort(reason));
  const nested: CallRecord[] = [];
  run.alive.set(toolId, idle.touch);
  let begun = false;
  try {
    const record = await host.call({
      tool,
      input,
      audience,
      sessionId,
      callerId: toolId,
      signal: AbortSignal.any([run.signal, stop.signal]),
      onOutput(text) {
        idle.touch();
        if (!begun) return;
        run.emit({ type: "tool_output", toolId, text });
      },
      async onStart({ input: starts }) {
        await run.prompted;
        begun = true;
        idle.touch();
        run.emit({ type: "tool_start", toolId, tool, summary: callSummary(tool, starts), input: starts });
      },
      onWaiting(isWaiting) {
        idle.pause(isWaiting);
        waiting.set(isWaiting);
      },
      onNested(nestedRecord) {
        idle.touch();
        nested.push(nestedRecord);
      },
    });
    const { decision, source, scopes } = record.permission;
    // What rules allow is in the rules.
    if (decision === "deny" || source === "person" || source.startsWith("layer:")) {
      await run.keep(
        run.agent.journal.addPermission({
          toolId,
          tool,
          decision: decision === "allow" ? "allow" : "deny",
          source,
          scopes: scopes.map(({ text }) => text),
        }),
      );
    }
    const { text, isError, images = [] } = record;
    const result = { toolId, tool, text, isError, ...(images.length === 0 ? {} : { images }) };
    return { result, show: () => showDone(run, result, record.input, marksOf(record, nested), record.durationMs) };
  } catch (error) {
    // `host.call` answers every failure; one that throws all the same is this call's alone.
    const text = error instanceof MortiseError ? error.message : sentence("internal", error instanceof Error ? error.message : String(error));
    return refused(run, { type: "call", toolId, tool, input }, text);
  } finally {
    run.alive.delete(toolId);
    idle.stop();
    waiting.end();
  }
}

function refused(run: RunContext, { toolId, tool, input }: Call, text: string): Ran {
  const result = { toolId, tool, text, isError: true };
  return { result, show: () => showDone(run, result, input, unmarked, 0) };
}

function showDone(run: RunContext, result: ToolResultPart, input: unknown, marks: CallMarks, durationMs: number): void {
  const { toolId, tool, text, isError, images = [] } = result;
  run.emit({ type: "tool_done", toolId, tool, input, text, isError, images, marks, durationMs });
}

/** Tools have a while to end after a cancel; then nobody waits for them. */
async function unlessGraceIsOver(all: Promise<unknown>, { signal, agent }: RunContext): Promise<void> {
  const over = Promise.withResolvers<void>();
  let forget = () => {};
  const onAbort = () => {
    forget = agent.clock.timer(agent.timers.cancelGraceMs, over.resolve);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([all, over.promise]);
  signal.removeEventListener("abort", onAbort);
  forget();
}

function missingText(run: RunContext): string {
  const reason = run.stopped();
  return reason === "timeout" ? unrun.timeout : reason === "cancelled" ? unrun.cancelled : unrun.limit;
}
