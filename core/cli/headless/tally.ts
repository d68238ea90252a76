import type { Clock } from "../../agent/clock.ts";
import { createLedger, type Spent } from "../../agent/ledger.ts";
import type { CallMarks, RunEnd, RunError, SessionEvent } from "../../agent/session-event.ts";
import { type PermissionDenial, type RunResult, wireUsage } from "./result.ts";
import { type Done, factsOf } from "./run-end.ts";
import type { ToolNames } from "./tool-names.ts";

/** Follows a run, and makes its result. */
export type Tally = {
  see(event: SessionEvent): void;
  /** The end of a run that did not tell its own. */
  cutShort(reason: RunEnd, error?: RunError | null): Done;
  denials(): readonly PermissionDenial[];
  /** @param keeps False where nobody misses what was not saved. @param spent What each model was used for, where it is known better than from the turns. */
  result(done: Done, about: { sessionId: string; saved: boolean; keeps?: boolean; spent?: ReadonlyMap<string, Spent> | undefined }): RunResult;
};

export function createTally(clock: Pick<Clock, "now">, names: ToolNames): Tally {
  const begun = clock.now();
  const ledger = createLedger();
  const denials: PermissionDenial[] = [];
  const errors: RunError[] = [];
  let [turns, compactions, retries, apiMs] = [0, 0, 0, 0];
  let turnBegun: number | undefined;
  let text = "";
  let saved = true;
  let dropped: string | undefined;
  let isDeniedLast = false;
  let context = { contextTokens: 0, contextWindow: 0 };

  const deny = (tool: string, toolId: string, input: unknown, reason: string, { permission, nested }: CallMarks) => {
    if (isDenied(permission))
      denials.push({
        tool,
        tool_name: names(tool),
        tool_use_id: toolId,
        tool_input: input,
        scopes: permission.scopes.map((scope) => scope.text),
        reason,
        source: permission.source,
      });
    for (const each of nested) deny(each.tool, toolId, each.input, `${each.tool} was denied inside ${tool}.`, each.marks);
  };
  /** Of the run itself or of a subagent. */
  const seeAny = (event: SessionEvent): void => {
    if (event.type === "child") seeAny(event.event);
    if (event.type === "turn_end") ledger.add(event.model, event.usage, event.costUsd);
    if (event.type === "retry") retries++;
    if (event.type === "compact_done") compactions++;
    if (event.type === "tool_done") {
      const before = denials.length;
      deny(event.tool, event.toolId, event.input, event.text, event.marks);
      isDeniedLast = denials.length > before;
    }
  };
  const cutShort = (reason: RunEnd, error: RunError | null = null): Done => {
    const { usage, costUsd } = ledger.total();
    return { type: "done", reason, error, text, usage, costUsd, turns, ...context };
  };

  return {
    see(event) {
      seeAny(event);
      switch (event.type) {
        case "turn_start":
          turnBegun = clock.now();
          text = "";
          break;
        case "text_delta":
          text += event.text;
          break;
        case "retry":
          // What the failed attempt streamed counts for nothing.
          text = "";
          break;
        case "turn_end":
          turns++;
          text = event.text;
          if (turnBegun !== undefined) apiMs += clock.now() - turnBegun;
          turnBegun = undefined;
          context = { contextTokens: event.contextTokens, contextWindow: event.contextWindow };
          break;
        case "message_dropped":
          dropped = event.reason;
          break;
        case "notice":
          if (event.code === "not_saved") saved = false;
          else if (event.code !== "tasks_ended") break;
          errors.push({ code: event.code, message: event.text });
      }
    },
    cutShort,
    denials: () => denials,
    result(done, { sessionId, saved: isSaved, keeps = true, spent = ledger.byModel() }) {
      const { word, says } = factsOf(done);
      const what = done.reason === "dropped" ? (dropped ?? says) : says;
      const own = done.error ?? (what === null ? null : { code: word, message: what });
      const isWhole = saved && isSaved;
      const error = own ?? (isWhole || !keeps ? null : (errors.find(({ code }) => code === "not_saved") ?? notSaved));
      const answer = done.reason === "error" || done.reason === "dropped" ? "" : done.text;
      return {
        type: "result",
        subtype: error === null ? "success" : "error",
        is_error: error !== null,
        duration_ms: Math.round(clock.now() - begun),
        duration_api_ms: Math.round(apiMs),
        num_turns: done.turns,
        result: answer === "" && error !== null ? error.message : answer,
        stop_reason: done.reason === "error" ? null : done.reason,
        session_id: sessionId,
        total_cost_usd: done.costUsd ?? 0,
        usage: wireUsage(done.usage),
        permission_denials: denials,
        errors: error === null || errors.includes(error) ? errors : [error, ...errors],
        model_usage: Object.fromEntries([...spent].map(([model, { usage, costUsd }]) => [model, { ...wireUsage(usage), cost_usd: costUsd }])),
        compactions,
        retries,
        terminal_reason: own === null && isDeniedLast ? "permission" : word,
        session_saved: isWhole,
      };
    },
  };
}

const notSaved: RunError = { code: "not_saved", message: "The session could not be saved." };

function isDenied({ decision, source }: CallMarks["permission"]): boolean {
  return decision === "deny" && source !== "cancelled";
}
