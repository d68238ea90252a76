import { IN, OUT } from "../turn.ts";
import { callOf, closeCall, enterCall, putLog } from "./calls.ts";
import { failedBelow, why } from "./failures.ts";
import { type InvokeKind, invoke } from "./invocations.ts";
import { callLayer, resumeStopped, resumeValue } from "./layers.ts";
import { load } from "./load.ts";
import { lastOutbox, openOutbox, put } from "./outbox.ts";
import { decode } from "./packing.ts";
import { add, type List, list } from "./primordials.ts";
import { runProgram } from "./program.ts";
import { handlerOf } from "./registry.ts";
import { answerRequest } from "./requests.ts";
import { tick } from "./timers.ts";

/**
 * The one door into an isolate. Everything is a primitive; what is returned is filled by the microtasks of the turn and read after them.
 * It never throws: an error that left the turn would have its getters read outside of the turn's limit.
 */
export function turn(...args: unknown[]): List<unknown> {
  const kind = args[0] as number;
  if (kind === IN.collect) return lastOutbox();
  const box = openOutbox();
  try {
    enterCall(args[1] as number);
    run(kind, args);
  } catch (error) {
    const reason = why(error);
    putLog("error", reason.stack ?? reason.text);
  }
  return box;
}

function run(kind: number, args: unknown[]): void {
  const id = args[1] as number;
  switch (kind) {
    case IN.load:
      load(args[2] as string, args[3] as string);
      return;
    case IN.program:
      runProgram(id, args[2] as string, args[3] as string);
      return;
    case IN.layer: {
      const handler = handlerOf(args[2] as number);
      if (handler?.kind !== "layer") {
        missing(id);
        return;
      }
      const value = take(args, 5);
      const data = take(args, value.next);
      callLayer(id, handler.run, args[3] as string, args[4] as string, value.json, value.blobs, data.json, data.blobs);
      return;
    }
    case IN.invoke: {
      const handler = handlerOf(args[2] as number);
      if (handler === null || handler.kind === "layer" || handler.kind !== args[3]) {
        missing(id);
        return;
      }
      const values = list<unknown>();
      const held = list<string>();
      for (let from = 4; from < args.length; ) {
        const value = take(args, from);
        add(values, decode(value.json, value.blobs));
        for (let i = 0; i < value.blobs.length; i++) add(held, value.blobs[i]!);
        from = value.next;
      }
      invoke(id, handler.run, args[3] as InvokeKind, values, held);
      return;
    }
    case IN.value: {
      const call = callOf(id);
      if (call === undefined) return;
      const value = take(args, 2, call.held);
      const data = take(args, value.next, call.held);
      resumeValue(call, value.json, value.blobs, data.json, data.blobs);
      return;
    }
    case IN.stopped: {
      const call = callOf(id);
      if (call !== undefined) resumeStopped(call, args[2] as string, args[3] as string, args[4] as string);
      return;
    }
    case IN.answers:
      for (let at = 2; at < args.length; ) at = hearAnswer(args, at);
      return;
    case IN.timer:
      tick(args[2] as number);
      return;
    case IN.abort: {
      callOf(id)?.abort?.(failedBelow("cancelled", args[2] as string));
      return;
    }
    case IN.drop: {
      const call = callOf(id);
      if (call !== undefined) closeCall(call);
      return;
    }
  }
}

/** One answer of the host to a request: where the next one begins. */
function hearAnswer(args: unknown[], at: number): number {
  const key = args[at + 1] as number;
  if (args[at] === IN.refuse) {
    answerRequest(key, false, args[at + 2] as string, args[at + 3] as string);
    return at + 4;
  }
  const value = take(args, at + 2);
  answerRequest(key, true, decode(value.json, value.blobs));
  return value.next;
}

/** A value with the strings beside it, from `at` on: its JSON, how many strings, and the strings, or numbers of those that the call has. */
function take(args: unknown[], at: number, held: List<string> = list()): { json: string | undefined; blobs: List<string>; next: number } {
  const count = args[at + 1] as number;
  const blobs = list<string>();
  for (let i = 0; i < count; i++) {
    const blob = args[at + 2 + i] as string | number;
    if (typeof blob === "string") add(held, blob);
    add(blobs, typeof blob === "string" ? blob : held[-1 - blob]!);
  }
  return { json: args[at] as string | undefined, blobs, next: at + 2 + count };
}

function missing(id: number): void {
  put(OUT.error);
  put(id);
  put("manifest_changed");
  put("No such handler");
}
