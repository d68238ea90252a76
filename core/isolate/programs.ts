import * as z from "zod/mini";
import { type Code, MortiseError } from "../../sdk/errors.ts";
import { NOTHING, type Packed, pack, unpack } from "../../sdk/wire.ts";
import { killChildAfterDeath } from "../capabilities/run/kill-after-death.ts";
import type { ProgramEnd, ProgramRequest } from "./isolates.ts";
import { toPacked } from "./packed-values.ts";
import type { RunnerMessage } from "./protocol/messages.ts";
import { readValue } from "./protocol/values.ts";
import type { Runner } from "./runner.ts";

const Call = z.tuple([z.string(), z.record(z.string(), z.unknown())]);
const Text = z.tuple([z.string()]);

/** The prelude sends fewer at once; code that got past it is refused. */
const MAX_OPEN = 64;
const MAX_LATE = 5;
/** What is printed at most, in characters: the runner counts too, and may have been taken over. */
const MAX_PRINTED = 8_100_000;

/** Runs a program in a runner that nobody else uses. It can do nothing but print and call what `request` lets it. Throws `runner_lost` where none can be started. */
export async function runProgram(start: () => Runner, number: number, request: ProgramRequest): Promise<ProgramEnd> {
  const runner = start();
  // A loop may keep it busy for as long as the program may take, and it hears nothing meanwhile.
  const ended = killChildAfterDeath(runner.process.pid);
  const names = new Set(request.tools.map(({ name }) => name));
  const over = new AbortController();
  const late: string[] = [];
  let open = 0;
  let printed = 0;

  const { promise, resolve } = Promise.withResolvers<{ answer: unknown } | { code: Code }>();
  const cancel = (): void => resolve({ code: "cancelled" });
  request.signal?.addEventListener("abort", cancel, { once: true });
  if (request.signal?.aborted === true) cancel();
  const id = runner.program(
    { callKey: null, known: [], hear, lost: ({ code }) => resolve({ code }), onCall },
    request.memoryMb,
    (id) => ({ t: "program", id, plugin: number, memoryMb: request.memoryMb, timeoutMs: request.timeoutMs }),
    [request.script, JSON.stringify(request.tools.map(({ name, alias }) => [name, alias]))],
  );
  try {
    return { ...(await promise), late };
  } finally {
    request.signal?.removeEventListener("abort", cancel);
    over.abort();
    runner.land(id);
    runner.kill("isolate_lost");
    ended();
  }

  function hear(message: RunnerMessage, parts: readonly string[]): void {
    if (message.t === "failed") resolve({ code: message.failure.code });
    else if (message.t === "invoked" && message.answer.kind === "value") {
      resolve({ answer: unpack(toPacked(readValue(message.answer.value, parts, []))) });
    } else throw new RangeError(`A program answered by ${message.t}`);
  }

  async function onCall(method: string, args: Packed): Promise<Packed> {
    if (over.signal.aborted) throw new MortiseError("cancelled");
    const given = unpack(args);
    switch (method) {
      case "output.write": {
        const [text] = Text.parse(given);
        printed += text.length;
        if (printed <= MAX_PRINTED) request.print(text);
        return NOTHING;
      }
      case "output.late":
        if (late.length < MAX_LATE) late.push(Text.parse(given)[0]);
        return NOTHING;
      case "tools.call": {
        const [name, input] = Call.parse(given);
        if (!names.has(name)) throw new MortiseError("not_in_audience", { seen: name });
        if (open >= MAX_OPEN) throw new MortiseError("too_many_requests");
        open++;
        try {
          const { text, isError } = await request.call(name, input, over.signal);
          return pack({ text, isError });
        } finally {
          open--;
        }
      }
      default:
        throw new MortiseError("unknown_method", { seen: method });
    }
  }
}
