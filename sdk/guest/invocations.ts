import { DATA, OUT } from "../turn.ts";
import { abortController } from "./abort.ts";
import { answerDraft, answerError, answerNothing, answerVerdict, type Call, countRequest, openCall } from "./calls.ts";
import { kindOf } from "./checks.ts";
import { fail } from "./failures.ts";
import { at, put, read, size, turnNumber } from "./outbox.ts";
import { carry, encode, encodeText } from "./packing.ts";
import { hasOwn, isObject, type List, list, settle } from "./primordials.ts";
import { guestTables } from "./tables.ts";
import { verdictOf } from "./verdicts.ts";

export type InvokeKind = "judge" | "autocmd" | "tool" | "scopes" | "base" | "command" | "completion";
export type Handler = (...args: unknown[]) => unknown;

/** Runs a handler that is no layer. */
export function invoke(id: number, handler: Handler, kind: InvokeKind, args: List<unknown>, held: List<string>): void {
  const call = openCall(id, held);
  try {
    if (kind === "tool") args[1] = withCall(args[1], call);
    if (kind === "tool" && typeof args[2] === "string") call.ahead = { args: args[2], answer: args[3] };
    if (kind === "completion") args[1] = withCancelled(args[1], call);
    settle(
      args.length === 0 ? handler() : args.length === 1 ? handler(args[0]) : handler(args[0], args[1]),
      (answer) => answerInvocation(call, kind, answer),
      (error) => answerError(call, error),
    );
  } catch (error) {
    answerError(call, error);
  }
}

function answerInvocation(call: Call, kind: InvokeKind, answer: unknown): void {
  if (call.over) return;
  try {
    if (kind === "judge") {
      answerJudge(call, answer);
      return;
    }
    if (kind === "autocmd") {
      answerNothing(call);
      return;
    }
    if (kind === "tool") {
      answerTool(call, answer);
      return;
    }
    if (kind === "command" && answer !== undefined && typeof answer !== "string") throw fail("wrong_answer", `${kindOf(answer)} instead of a text`);
    if (answer === undefined && kind !== "scopes") {
      answerNothing(call);
      return;
    }
    const value = encode(answer, call.held);
    if (value.json === undefined) throw fail("wrong_answer", kindOf(answer));
    answerDraft(call, { value, dataFrom: DATA.input, data: undefined });
  } catch (error) {
    answerError(call, error);
  }
}

function answerJudge(call: Call, answer: unknown): void {
  if (answer === undefined) {
    answerNothing(call);
    return;
  }
  const verdict = verdictOf(answer, { deny: true, ask: true });
  if (verdict === null) throw fail("wrong_answer", `${kindOf(answer)} of a judge`);
  if (verdict.kind === "ask" && verdict.input !== undefined) throw fail("wrong_answer", "a judge cannot change the input");
  answerVerdict(call, verdict.kind, verdict.text, undefined);
}

function answerTool(call: Call, answer: unknown): void {
  const result = typeof answer === "string" ? { text: answer, isError: false } : answer;
  if (!isObject(result)) throw fail("wrong_answer", `${kindOf(answer)} of a tool`);
  const text = result.text;
  const isError = result.isError ?? false;
  const data = hasOwn(result, "data") ? result.data : undefined;
  if (typeof text !== "string") throw fail("wrong_answer", `text is ${kindOf(text)}`);
  if (typeof isError !== "boolean") throw fail("wrong_answer", `isError is ${kindOf(isError)}`);
  const cut = hasOwn(result, "cut") ? result.cut : undefined;
  if (cut !== undefined && cut !== "timeout" && cut !== "cancelled") throw fail("wrong_answer", `cut is ${kindOf(cut)}`);
  const images = hasOwn(result, "images") ? result.images : undefined;
  const held = hasOwn(result, "held") ? result.held : undefined;
  if (held !== undefined && typeof held !== "string") throw fail("wrong_answer", `held is ${kindOf(held)}`);
  if (data === undefined && cut === undefined && images === undefined && held === undefined) {
    const blobs = list<string | number>();
    const json = `{"text":${encodeText(text, call.held, blobs)},"isError":${isError ? "true" : "false"}}`;
    answerDraft(call, { value: { json, blobs }, dataFrom: DATA.input, data: undefined });
    return;
  }
  answerDraft(call, { value: encode({ text, held, isError, data, images, cut }, call.held), dataFrom: DATA.input, data: undefined });
}

function withCancelled(about: unknown, call: Call): unknown {
  return isObject(about) ? { ...about, cancelled: (): boolean => call.over } : about;
}

function withCall(about: unknown, call: Call): unknown {
  if (!isObject(about)) return about;
  const controller = abortController();
  call.abort = controller.abort;
  return { ...about, signal: controller.signal, write: writer(call) };
}

/** Text written within one turn goes out as one record, so that a tool may write line by line. */
function writer(call: Call): (text: string) => void {
  let turn = 0;
  let index = 0;
  return function write(text: string): void {
    if (typeof text !== "string") throw fail("wrong_answer", `write takes a text, not ${kindOf(text)}`);
    if (call.over || text === "") return;
    const before = turn === turnNumber() ? (read(index) as string) : "";
    if (before.length + text.length > guestTables().limits.payloadChars) throw fail("payload_too_large");
    carry(text.length);
    if (turn === turnNumber()) {
      at(index, before + text);
      return;
    }
    countRequest();
    turn = turnNumber();
    put(OUT.write);
    put(call.id);
    index = size();
    put(text);
  };
}
