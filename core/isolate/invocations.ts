import type { Loss } from "./flights.ts";
import type { Answer, InvokeRequest, InvokeResult } from "./isolates.ts";
import { isTooLarge, toPacked, toValue } from "./packed-values.ts";
import { failureOf, type Places } from "./places.ts";
import type { AnswerHead, RunnerMessage } from "./protocol/messages.ts";
import { readValue, writeValue } from "./protocol/values.ts";
import type { Runner } from "./runner.ts";
import type { Version } from "./versions.ts";

/** What may have had effects is not run twice. */
const ONCE: readonly InvokeRequest["kind"][] = ["tool", "command"];
const GRACE_MS = 2_000;

/** Calls one handler. Where its runner dies under it, without its doing, it is called once more, unless that could do something twice. */
export async function invokeHandler(request: InvokeRequest, version: Version, places: Places): Promise<InvokeResult> {
  if (request.args.some(isTooLarge)) return failed(request, "payload_too_large");
  for (let deaths = 0; ; ) {
    if (isAborted(request)) return failed(request, "cancelled");
    const place = places.of(version);
    if ("failure" in place) return { ok: false, failure: place.failure, cpuMs: 0 };
    const came = await send(request, version, place.runner);
    if ("ok" in came) {
      if (came.ok) places.clean(request.plugin);
      return came;
    }
    deaths++;
    if (isAborted(request)) return failed(request, "cancelled");
    if (places.closed()) return failed(request, "runner_lost");
    if (came.guilty === request.plugin && came.mine) return failed(request, came.code);
    if (ONCE.includes(request.kind) || deaths > 1) return failed(request, "runner_lost");
    if (came.guilty === request.plugin) return failed(request, "isolate_lost");
  }
}

function send(request: InvokeRequest, version: Version, runner: Runner): Promise<InvokeResult | Loss> {
  const { promise, resolve } = Promise.withResolvers<InvokeResult | Loss>();
  const parts: string[] = [];
  const known = request.args.flatMap((arg) => arg.blobs);
  const args = request.args.map((arg) => writeValue(toValue(arg), parts));
  const id = runner.request(
    { callKey: request.callKey, known, hear, lost: land },
    [version],
    (id) => ({
      t: "invoke",
      id,
      plugin: version.number,
      handler: request.handler,
      kind: request.kind,
      windowMs: request.windowMs,
      sliceMs: request.sliceMs,
      budgetMs: request.budgetMs,
      graceMs: request.graceMs ?? GRACE_MS,
      args,
    }),
    parts,
  );
  const cancel = (): void => runner.send({ t: "cancel", id });
  request.signal?.addEventListener("abort", cancel, { once: true });
  return promise;

  function hear(message: RunnerMessage, from: readonly string[]): void {
    if (message.t === "failed") {
      land({ ok: false, failure: { ...message.failure, plugin: request.plugin }, cpuMs: message.cpuMs });
      return;
    }
    if (message.t !== "invoked") throw new RangeError(`A call answered by ${message.t}`);
    land({ ok: true, answer: answerOf(message.answer, from, known), cpuMs: message.cpuMs });
  }

  function land(came: InvokeResult | Loss): void {
    request.signal?.removeEventListener("abort", cancel);
    runner.land(id);
    resolve(came);
  }
}

function answerOf(head: AnswerHead, parts: readonly string[], known: readonly string[]): Answer {
  switch (head.kind) {
    case "value":
      return { kind: "value", value: toPacked(readValue(head.value, parts, known)) };
    case "ask":
      return { kind: "ask", reason: head.reason, input: head.input === null ? undefined : toPacked(readValue(head.input, parts, known)) };
    default:
      return head;
  }
}

function failed(request: InvokeRequest, code: Parameters<typeof failureOf>[0]): InvokeResult {
  return { ok: false, failure: failureOf(code, request.plugin), cpuMs: 0 };
}

const isAborted = ({ signal }: InvokeRequest): boolean => signal?.aborted === true;
