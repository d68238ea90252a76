import { OUT } from "../../../sdk/turn.ts";
import type { Blob, Value } from "../protocol/values.ts";

/** What a turn said. The isolate wrote it, so every part of it is checked; throws a TypeError for what is no outbox. */
export type Said =
  | { kind: "answer"; call: number; draft: GuestDraft }
  | { kind: "verdict"; call: number; verdict: "deny" | "ask" | "respond"; text: string; input: GuestValue }
  | { kind: "error"; call: number; code: string; text: string }
  | { kind: "prev"; call: number; draft: GuestDraft }
  | { kind: "host"; call: number; key: number; method: string; args: GuestValue }
  | { kind: "write"; call: number; text: string }
  | { kind: "log"; level: "debug" | "info" | "warn" | "error"; text: string }
  | { kind: "timer"; call: number; timer: number; ms: number; repeat: boolean }
  | { kind: "clear"; timer: number }
  | { kind: "loaded"; manifest: string };

export type GuestValue = { json: string | undefined; blobs: (string | number)[] };
/** `dataFrom` is one of DATA. */
export type GuestDraft = { value: GuestValue; dataFrom: number; data: GuestValue };

const LEVELS = ["debug", "info", "warn", "error"] as const;
const VERDICTS = ["deny", "ask", "respond"] as const;

export function readOutbox(box: unknown): Said[] {
  if (!Array.isArray(box)) throw new TypeError("No outbox");
  const items: readonly unknown[] = box;
  const said: Said[] = [];
  let at = 0;

  while (at < items.length) said.push(next());
  return said;

  function next(): Said {
    const kind = number();
    switch (kind) {
      case OUT.answer:
        return { kind: "answer", call: number(), draft: draft() };
      case OUT.verdict:
        return { kind: "verdict", call: number(), verdict: oneOf(VERDICTS), text: text(), input: value() };
      case OUT.error:
        return { kind: "error", call: number(), code: text(), text: text() };
      case OUT.prev:
        return { kind: "prev", call: number(), draft: draft() };
      case OUT.host:
        return { kind: "host", call: number(), key: number(), method: text(), args: value() };
      case OUT.log:
        return { kind: "log", level: oneOf(LEVELS), text: text() };
      case OUT.timer:
        return { kind: "timer", call: number(), timer: number(), ms: number(), repeat: take() === true };
      case OUT.clear:
        return { kind: "clear", timer: number() };
      case OUT.loaded:
        return { kind: "loaded", manifest: text() };
      case OUT.write:
        return { kind: "write", call: number(), text: text() };
      default:
        throw new TypeError("An unknown record");
    }
  }

  function take(): unknown {
    return items[at++];
  }

  function number(): number {
    const item = take();
    if (typeof item !== "number" || !(item >= 0)) throw new TypeError("No number");
    return item;
  }

  function text(): string {
    const item = take();
    if (typeof item !== "string") throw new TypeError("No text");
    return item;
  }

  function oneOf<T extends string>(allowed: readonly T[]): T {
    const item = take();
    const found = allowed.find((one) => one === item);
    if (found === undefined) throw new TypeError("An unknown word");
    return found;
  }

  function draft(): GuestDraft {
    return { dataFrom: number(), value: value(), data: value() };
  }

  function value(): GuestValue {
    const json = take();
    if (json !== undefined && typeof json !== "string") throw new TypeError("No JSON");
    const count = number();
    const blobs: (string | number)[] = [];
    for (let i = 0; i < count && at < items.length; i++) {
      const blob = take();
      if (typeof blob !== "string" && typeof blob !== "number") throw new TypeError("No string");
      blobs.push(blob);
    }
    if (blobs.length !== count) throw new TypeError("A cut record");
    return { json, blobs };
  }
}

/** The value with the strings it names: those that came in with the call have a number below zero. */
export function resolveValue(value: GuestValue, inbox: readonly Blob[]): Value {
  return {
    json: value.json,
    blobs: value.blobs.map((blob) => {
      if (typeof blob === "string") return { text: blob, known: -1 };
      const came = inbox[-1 - blob];
      if (came === undefined) throw new TypeError("No such string");
      return came;
    }),
  };
}
