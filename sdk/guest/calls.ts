import { OUT } from "../turn.ts";
import type { Draft, LayerState } from "./checks.ts";
import { fail, why } from "./failures.ts";
import { mayLog, mayRequest, put } from "./outbox.ts";
import type { Encoded } from "./packing.ts";
import { byNumber, type List, list } from "./primordials.ts";
import { guestTables } from "./tables.ts";

/** What is foreseen is always this. */
const AHEAD = "syntax.query";

/** One call of a handler that has not answered. */
export type Call = {
  id: number;
  over: boolean;
  /** Long strings that came in, which go out as references. */
  held: List<string>;
  /** Resumes a waiting `prev`. */
  prev: Waiting | null;
  abort: ((reason: unknown) => void) | null;
  layer: LayerState | null;
  /** What it is to ask first, as it is sent, and the answer, which came with the call. */
  ahead: { args: string; answer: unknown } | null;
};
export type Waiting = { ok: (value: unknown) => void; no: (error: unknown) => void };

const calls = byNumber<Call>();
/** The call whose code runs in this turn: what it asks for belongs to it. */
let current = 0;

export function openCall(id: number, held: List<string>): Call {
  const call: Call = { id, over: false, held, prev: null, abort: null, layer: null, ahead: null };
  calls.set(id, call);
  return call;
}

export function closeCall(call: Call): void {
  call.over = true;
  call.held = list();
  call.prev = null;
  call.ahead = null;
  calls.remove(call.id);
}

export const callOf = (id: number): Call | undefined => calls.get(id);
export const enterCall = (id: number): void => {
  current = id;
};
export const owner = (): number => (calls.get(current) === undefined ? 0 : current);
/** The answer that came with the running call to the first it asks, where that is as it was foreseen. */
export function takeAhead(method: string, { json, blobs }: Encoded): { answer: unknown } | null {
  const call = calls.get(current);
  const ahead = call?.ahead ?? null;
  if (call === undefined || ahead === null) return null;
  call.ahead = null;
  return method === AHEAD && json === ahead.args && blobs.length === 0 ? ahead : null;
}

/** Strings of the running call that may go out as references. */
export const heldNow = (): List<string> => calls.get(current)?.held ?? list();

export function answerNothing(call: Call): void {
  if (call.over) return;
  closeCall(call);
  put(OUT.answer);
  put(call.id);
  put(0);
  putEncoded({ json: undefined, blobs: list() });
  putEncoded({ json: undefined, blobs: list() });
}

export function answerDraft(call: Call, draft: Draft): void {
  if (call.over) return;
  closeCall(call);
  put(OUT.answer);
  put(call.id);
  putDraft(draft);
}

export function answerVerdict(call: Call, kind: string, text: string, input: Encoded | undefined): void {
  if (call.over) return;
  closeCall(call);
  put(OUT.verdict);
  put(call.id);
  put(kind);
  put(text);
  putEncoded(input ?? { json: undefined, blobs: list() });
}

/** Ends a call with what was thrown, and logs where. */
export function answerError(call: Call, error: unknown): void {
  if (call.over) return;
  const reason = why(error);
  closeCall(call);
  if (reason.stack !== null) putLog("error", reason.stack);
  put(OUT.error);
  put(call.id);
  put(reason.code);
  put(reason.text);
}

export function putDraft(draft: Draft): void {
  put(draft.dataFrom);
  putEncoded(draft.value);
  putEncoded(draft.data ?? { json: undefined, blobs: list() });
}

export function putEncoded(encoded: Encoded): void {
  put(encoded.json);
  put(encoded.blobs.length);
  for (let i = 0; i < encoded.blobs.length; i++) put(encoded.blobs[i]);
}

/** Throws `too_many_requests` where one turn asks for too much. */
export function countRequest(): void {
  if (!mayRequest(guestTables().limits.framesPerTurn)) throw fail("too_many_requests");
}

const LOGS_PER_TURN = 64;

export function putLog(level: string, text: string): void {
  if (!mayLog(LOGS_PER_TURN)) return;
  put(OUT.log);
  put(level);
  put(text);
}
