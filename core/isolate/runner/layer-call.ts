import { type Code, sentence } from "../../../sdk/errors.ts";
import { DATA, IN } from "../../../sdk/turn.ts";
import type { Digest } from "../protocol/digest.ts";
import { NO_VALUE, type Value, valueOrDigest } from "../protocol/values.ts";
import { type Below, type Draft, type Failure, isSticky, sameDraft } from "./below.ts";
import { type GuestCall, type Limits, ownMs, stopClock } from "./calls.ts";
import { type GuestDraft, resolveValue } from "./outbox.ts";
import type { Live } from "./residents.ts";
import { primitives, type Turns } from "./turns.ts";

export type LayerSpec = { plugin: string; handler: number; block: boolean; data: boolean };
export type LayerContext = Limits & { of: number; spec: string; fixed: boolean; ctx: string };

export type LayerReport = {
  ms: number;
  outcome: "passed" | "changed" | "denied" | "asked" | "responded" | "skipped" | "failed" | "cut";
  /** What it changed, and into what. */
  before?: Value;
  after?: Value | Digest;
  reason?: string;
  failure?: Failure;
};

export type LayerCall = { cut(): LayerReport };

/** Values of more characters are not kept for records. */
export const KEPT_CHARS = 65_536;

type Answer =
  | { kind: "value"; draft: Draft }
  | { kind: "nothing" }
  | { kind: "deny" | "ask" | "respond"; text: string; input: Value | null }
  | { kind: "failure"; failure: Failure }
  /** What was below passes on as it is: the layer let the rejection of `prev` go. */
  | { kind: "let" };

/**
 * Runs one layer in its isolate. `below` runs the layers under it with a value, once at most.
 * `done` is told of the layer's end after everything below it has ended.
 */
export function callLayer(
  turns: Turns,
  live: Live,
  layer: LayerSpec,
  context: LayerContext,
  draft: Draft,
  below: (draft: Draft, up: (below: Below) => void) => void,
  done: (below: Below, report: LayerReport) => void,
): LayerCall {
  let passed: Draft | null = null;
  let under: Below | null = null;
  let answer: Answer | null = null;
  let over = false;

  const data = layer.data ? draft.data : null;
  const call: GuestCall = turns.start(live, {
    ...context,
    kind: IN.layer,
    handler: layer.handler,
    args: [layer.handler, context.spec, context.ctx, ...primitives(draft.value), ...primitives(data ?? NO_VALUE)],
    inbox: [...draft.value.blobs, ...(data?.blobs ?? [])],
    said: {
      answer: (given) => settle(() => (given.value.json === undefined ? { kind: "nothing" } : { kind: "value", draft: made(given) })),
      verdict: (kind, text, input) => settle(() => ({ kind, text, input: input.json === undefined ? null : resolveValue(input, call.inbox) })),
      failed: (code, message) => settle(() => (code === "stopped_below" ? { kind: "let" } : failure(code, message))),
      prev: (given) => goDown(given.value.json === undefined ? draft : made(given)),
    },
  });

  return {
    cut() {
      over = true;
      stopClock(call.clock);
      if (!call.over) turns.drop(live, call);
      return { ms: ownMs(call.clock), outcome: "cut" };
    },
  };

  function goDown(value: Draft): void {
    if (over) return;
    passed = value;
    below(value, (came) => {
      if (over) return;
      under = came;
      if (answer !== null) return finish(answer);
      resume(came);
    });
  }

  function resume({ head, draft: came }: Below): void {
    if (head.kind === "value") {
      const shown = layer.data ? came.data : null;
      turns.resume(live, call, IN.value, [...primitives(came.value, call.inbox), ...primitives(shown ?? NO_VALUE, call.inbox)]);
      return;
    }
    const [verdict, plugin, reason] =
      head.kind === "error"
        ? ["error", head.failure.code, head.failure.message]
        : head.kind === "blocked"
          ? ["deny", head.failure.plugin, head.failure.message]
          : [head.kind, head.plugin, head.kind === "respond" ? head.text : head.reason];
    turns.resume(live, call, IN.stopped, [verdict, plugin, reason]);
  }

  function settle(read: () => Answer): void {
    if (over) return;
    try {
      answer = read();
    } catch {
      answer = failure("wrong_answer", sentence("wrong_answer"));
    }
    // The host awaits a `prev` that the layer did not await.
    if (passed === null || under !== null) finish(answer);
  }

  function finish(given: Answer): void {
    over = true;
    const ms = ownMs(call.clock);
    if (under !== null && isSticky(under)) {
      finishStopped(under, given, ms);
      return;
    }
    switch (given.kind) {
      case "value":
        end({ head: { kind: "value" }, draft: given.draft }, changes(given.draft, ms));
        return;
      case "nothing":
        if (under !== null) {
          end(under, changes(null, ms));
          return;
        }
        // Where what is passed on is fixed, the value is no answer: the layer left the decision to those below.
        if (context.fixed) {
          below(draft, (came) => end(came, { ms, outcome: "passed" }));
          return;
        }
        end({ head: { kind: "value" }, draft }, { ms, outcome: "passed" });
        return;
      case "let":
        under === null ? fail(failure("plugin_threw", sentence("plugin_threw")).failure, ms) : end(under, { ms, outcome: "passed" });
        return;
      case "failure":
        fail(given.failure, ms);
        return;
      default:
        end(verdictBelow(given), { ms, ...verdictReport(given) });
        return;
    }
  }

  /** Under a verdict only another denial counts, or a failure that blocks. */
  function finishStopped(stopped: Below, given: Answer, ms: number): void {
    if (given.kind === "failure") {
      fail(given.failure, ms);
      return;
    }
    if (given.kind === "deny" && stopped.head.kind !== "blocked") {
      end(verdictBelow(given), { ms, ...verdictReport(given) });
      return;
    }
    end(stopped, { ms, outcome: "passed" });
  }

  function fail(why: Failure, ms: number): void {
    const report = { ms, failure: why };
    const blocked = under?.head.kind === "blocked";
    if (layer.block && !blocked) {
      end({ head: { kind: "blocked", failure: why }, draft: under?.draft ?? draft }, { ...report, outcome: "failed" });
      return;
    }
    if (under !== null) {
      end(under, { ...report, outcome: "skipped" });
      return;
    }
    below(draft, (came) => end(came, { ...report, outcome: "skipped" }));
  }

  function end(result: Below, report: LayerReport): void {
    done(result, report);
  }

  function verdictBelow(given: Extract<Answer, { kind: "deny" | "ask" | "respond" }>): Below {
    const { plugin } = layer;
    const current = under?.head.kind === "value" ? under.draft : draft;
    if (given.kind === "respond") return { head: { kind: "respond", plugin, text: given.text }, draft: current };
    const value = given.input === null ? current : { value: given.input, data: current.data };
    return { head: { kind: given.kind, plugin, reason: given.text }, draft: value };
  }

  function made(given: GuestDraft): Draft {
    const value = resolveValue(given.value, call.inbox);
    if (given.dataFrom === DATA.given) return { value, data: resolveValue(given.data, call.inbox) };
    if (given.dataFrom === DATA.dropped) return { value, data: null };
    return { value, data: given.dataFrom === DATA.prev && under !== null ? under.draft.data : draft.data };
  }

  function changes(final: Draft | null, ms: number): LayerReport {
    const from = under?.head.kind === "value" ? under.draft : draft;
    if (final !== null && !sameDraft(final, from)) return changed(from, final, ms);
    if (passed !== null && !sameDraft(passed, draft)) return changed(draft, passed, ms);
    return { ms, outcome: "passed" };
  }

  function changed(from: Draft, to: Draft, ms: number): LayerReport {
    return { ms, outcome: "changed", before: from.value, after: valueOrDigest(to.value, KEPT_CHARS) };
  }

  function failure(code: Code, message: string): { kind: "failure"; failure: Failure } {
    return { kind: "failure", failure: { code, message, plugin: layer.plugin } };
  }
}

function verdictReport(given: { kind: "deny" | "ask" | "respond"; text: string }): { outcome: "denied" | "asked" | "responded"; reason: string } {
  return { outcome: given.kind === "deny" ? "denied" : given.kind === "ask" ? "asked" : "responded", reason: given.text };
}
