import { OUT } from "../turn.ts";
import { countRequest, heldNow, owner, putEncoded, takeAhead, type Waiting } from "./calls.ts";
import { coded, fail } from "./failures.ts";
import { put } from "./outbox.ts";
import { type Encoded, encode } from "./packing.ts";
import { add, byNumber, type List, list, NativePromise } from "./primordials.ts";

const waiting = byNumber<Waiting>();
const MAX_WAITING = 1_024;
let last = 0;
let open = 0;

/** Asks the host for a method of the API and waits for its answer. */
export function request(method: string, args: List<unknown>): Promise<unknown> {
  return new NativePromise((ok, no) => {
    const encoded = encode(args, heldNow());
    countRequest();
    const ahead = takeAhead(method, encoded);
    if (ahead !== null) {
      ok(ahead.answer);
      return;
    }
    if (open >= MAX_WAITING) throw fail("too_many_requests");
    open++;
    const key = ++last;
    waiting.set(key, { ok, no });
    putRequest(key, method, encoded);
  });
}

/** Sends a request that was encoded before. */
export function sendEncoded(method: string, encoded: Encoded, then: Waiting): void {
  open++;
  const key = ++last;
  waiting.set(key, then);
  putRequest(key, method, encoded);
}

/** Tells the host something that has no answer. */
export function tell(method: string, args: List<unknown>): void {
  const encoded = encode(args, heldNow());
  countRequest();
  putRequest(0, method, encoded);
}

export function answerRequest(key: number, ok: true, value: unknown): void;
export function answerRequest(key: number, ok: false, code: string, message: string): void;
export function answerRequest(key: number, ok: boolean, value: unknown, message = ""): void {
  const entry = waiting.get(key);
  if (entry === undefined) return;
  waiting.remove(key);
  open--;
  if (ok) entry.ok(value);
  else entry.no(coded(value as string, message));
}

/** Arguments up to the last one that is given. */
export function given(...args: unknown[]): List<unknown> {
  let count = args.length;
  while (count > 0 && args[count - 1] === undefined) count--;
  const kept = list<unknown>();
  for (let i = 0; i < count; i++) add(kept, args[i]);
  return kept;
}

function putRequest(key: number, method: string, encoded: Encoded): void {
  put(OUT.host);
  put(owner());
  put(key);
  put(method);
  putEncoded(encoded);
}
