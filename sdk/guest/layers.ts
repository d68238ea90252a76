import { DATA, OUT } from "../turn.ts";
import { answerDraft, answerError, answerNothing, answerVerdict, type Call, countRequest, openCall, putDraft } from "./calls.ts";
import { type Basis, type Draft, draftOf, type LayerState } from "./checks.ts";
import { sourcesOf } from "./completions.ts";
import { fail, failedBelow, stopped } from "./failures.ts";
import { put } from "./outbox.ts";
import { decode } from "./packing.ts";
import { add, defineProperty, follow, isObject, type List, list, NativePromise, parse, settle } from "./primordials.ts";
import { specOf } from "./tables.ts";
import { verdictOf } from "./verdicts.ts";

export type LayerHandler = (prev: (value?: unknown) => Promise<unknown>, value: unknown, ctx: unknown) => unknown;

/** Runs a layer. Its answer, or what it threw, goes to the outbox of the turn in which it comes. */
export function callLayer(
  id: number,
  handler: LayerHandler,
  slot: string,
  ctx: string,
  json: string | undefined,
  blobs: List<string>,
  dataJson: string | undefined,
  dataBlobs: List<string>,
): void {
  const held = joined(blobs, dataBlobs);
  const call = openCall(id, held);
  const spec = specOf(slot);
  try {
    const value = withData(decode(json, blobs), dataJson, dataBlobs);
    const state: LayerState = { spec, basis: spec.output ? basisFrom(DATA.input, value) : null };
    call.layer = state;
    settle(
      handler(prevOf(call, state), value, parse(ctx)),
      (answer) => answerLayer(call, state, answer),
      (error) => answerError(call, error),
    );
  } catch (error) {
    answerError(call, error);
  }
}

/** Resumes a layer with what the layers below made. */
export function resumeValue(call: Call, json: string | undefined, blobs: List<string>, dataJson: string | undefined, dataBlobs: List<string>): void {
  const waiting = call.prev;
  const state = call.layer;
  if (waiting === null || state === null) return;
  call.prev = null;
  const value = withData(decode(json, blobs), dataJson, dataBlobs);
  if (state.spec.output) state.basis = basisFrom(DATA.prev, value);
  waiting.ok(value);
}

export function resumeStopped(call: Call, verdict: string, plugin: string, reason: string): void {
  const waiting = call.prev;
  call.prev = null;
  waiting?.no(verdict === "error" ? failedBelow(plugin, reason) : stopped(verdict, plugin, reason));
}

function prevOf(call: Call, state: LayerState): (value?: unknown) => Promise<unknown> {
  let used = false;
  return function prev(value?: unknown): Promise<unknown> {
    if (used) return rejected(fail(call.over ? "prev_expired" : "prev_consumed"));
    if (call.over) return rejected(fail("prev_expired"));
    let draft: Draft | null = null;
    try {
      if (value !== undefined && state.spec.passing === "values") draft = checked(state, value, call.held);
      countRequest();
    } catch (error) {
      return rejected(error);
    }
    used = true;
    put(OUT.prev);
    put(call.id);
    putDraft(draft ?? { value: { json: undefined, blobs: list() }, dataFrom: DATA.input, data: undefined });
    const promise = new NativePromise<unknown>((ok, no) => {
      call.prev = { ok, no };
    });
    // A layer need not await it, since the host does: its rejection is not lost.
    follow(promise, undefined, ignore);
    return promise;
  };
}

function answerLayer(call: Call, state: LayerState, answer: unknown): void {
  if (call.over) return;
  try {
    if (answer === undefined) {
      answerNothing(call);
      return;
    }
    const verdict = verdictOf(answer, state.spec.verdicts);
    if (verdict === null) {
      answerDraft(call, checked(state, answer, call.held));
      return;
    }
    if (verdict.kind !== "ask" || verdict.input === undefined) {
      answerVerdict(call, verdict.kind, verdict.text, undefined);
      return;
    }
    answerVerdict(call, "ask", verdict.text, draftOf(state.spec, verdict.input, state.basis, call.held).value);
  } catch (error) {
    answerError(call, error);
  }
}

function checked({ spec, basis }: LayerState, value: unknown, held: List<string>): Draft {
  return draftOf(spec, spec.shape === "sources" ? sourcesOf(value) : value, basis, held);
}

function basisFrom(from: Basis["from"], value: unknown): Basis {
  const output = value as { text: string; isError: boolean };
  return { from, text: output.text, isError: output.isError };
}

function withData(value: unknown, json: string | undefined, blobs: List<string>): unknown {
  if (json === undefined || !isObject(value)) return value;
  defineProperty(value, "data", {
    __proto__: null,
    value: decode(json, blobs),
    enumerable: true,
    writable: true,
    configurable: true,
  } as PropertyDescriptor);
  return value;
}

function joined(first: List<string>, second: List<string>): List<string> {
  if (second.length === 0) return first;
  const all = list<string>();
  for (let i = 0; i < first.length; i++) add(all, first[i]!);
  for (let i = 0; i < second.length; i++) add(all, second[i]!);
  return all;
}

function rejected(error: unknown): Promise<unknown> {
  return new NativePromise((_ok, no) => no(error));
}

const ignore = (): void => {};
