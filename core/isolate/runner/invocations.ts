import { type Code, sentence } from "../../../sdk/errors.ts";
import { IN } from "../../../sdk/turn.ts";
import type { AnswerHead, BelowHead, HostMessage, LimitsHead } from "../protocol/messages.ts";
import { type Blob, readValue, type Value, writeValue } from "../protocol/values.ts";
import type { GuestCall, Saying } from "./calls.ts";
import type { Jobs } from "./jobs.ts";
import type { Loading } from "./loading.ts";
import { resolveValue } from "./outbox.ts";
import type { Live, Resident } from "./residents.ts";
import type { Speech } from "./speech.ts";
import { primitives, type Turns } from "./turns.ts";

export type InvokeMessage = Extract<HostMessage, { t: "invoke" }>;

export type Invocations = {
  run(message: InvokeMessage, parts: readonly string[]): void;
  /** Ends a call: a tool is told first and has its grace to answer. */
  cancel(id: number): void;
  /** Runs the base of a declared slot. */
  base(
    limits: LimitsHead & { id: number },
    base: { plugin: number; handler: number },
    value: Value,
    up: (head: BelowHead, value: Value | undefined) => void,
  ): void;
};

type Running = {
  live: Live;
  call: GuestCall;
  tool: boolean;
  graceMs: number;
  timer: NodeJS.Timeout | null;
  failed: (code: Code, message: string) => void;
};

export function createInvocations(residents: ReadonlyMap<number, Resident>, loading: Loading, turns: Turns, jobs: Jobs, speech: Speech): Invocations {
  const running = new Map<number, Running>();
  /** Calls that were cancelled before their isolate was ready. */
  const loadingCalls = new Map<number, (code: Code) => void>();

  return {
    run(message, parts) {
      const { id, plugin, handler, kind } = message;
      const blobs: Blob[] = [];
      const args = message.args.map((wire) => {
        const value = readValue(wire, parts, []);
        const numbered = value.blobs.map((blob, index) => ({ text: blob.text, known: blobs.length + index }));
        blobs.push(...numbered);
        return { json: value.json, blobs: numbered };
      });
      const resident = residents.get(plugin);
      const failed = (code: Code, text: string): void => {
        const ended = running.get(id);
        if (ended?.timer) clearTimeout(ended.timer);
        if (!running.delete(id) && !loadingCalls.delete(id)) return;
        speech.say({ t: "failed", id, failure: { code, message: text, plugin: resident?.name ?? "" }, cpuMs: ended?.call.cpuMs ?? 0 });
      };
      loadingCalls.set(id, (code) => failed(code, sentence(code)));
      if (resident === undefined) return failed("internal", sentence("internal"));
      loading.open(
        resident,
        (live) => {
          if (!loadingCalls.delete(id)) return;
          const call = turns.start(live, {
            ...message,
            kind: IN.invoke,
            handler,
            of: id,
            args: [handler, kind, ...args.flatMap((arg) => primitives(arg))],
            inbox: blobs,
            said: saying(id, failed, kind === "tool" ? message.graceMs : 0),
          });
          if (!call.over) running.set(id, { live, call, tool: kind === "tool", graceMs: message.graceMs, timer: null, failed });
        },
        failed,
      );
    },
    cancel(id) {
      loadingCalls.get(id)?.("cancelled");
      const ended = running.get(id);
      if (ended !== undefined) stop(ended, "cancelled");
    },
    base(limits, { plugin, handler }, value, up) {
      const resident = residents.get(plugin);
      const failed = (code: Code, message: string): void =>
        up({ kind: "error", failure: { code, message, plugin: resident?.name ?? "" } }, undefined);
      if (resident === undefined) return failed("internal", sentence("internal"));
      loading.open(
        resident,
        (live) => {
          const call = turns.start(live, {
            ...limits,
            kind: IN.invoke,
            handler,
            of: limits.id,
            args: [handler, "base", ...primitives(value)],
            inbox: [...value.blobs],
            said: {
              answer: (draft) => up({ kind: "value" }, resolveValue(draft.value, call.inbox)),
              verdict: () => failed("wrong_answer", sentence("wrong_answer")),
              failed,
            },
          });
        },
        failed,
      );
    },
  };

  function saying(id: number, failed: (code: Code, message: string) => void, graceMs: number): Saying {
    const say = (answer: AnswerHead, parts: string[]): void => {
      const ended = running.get(id);
      if (ended?.timer) clearTimeout(ended.timer);
      running.delete(id);
      speech.say({ t: "invoked", id, answer, cpuMs: ended?.call.cpuMs ?? 0 }, parts);
    };
    return {
      answer(draft) {
        const parts: string[] = [];
        const inbox = running.get(id)?.call.inbox ?? [];
        const value = resolveValue(draft.value, inbox);
        say(value.json === undefined ? { kind: "nothing" } : { kind: "value", value: writeValue(value, parts) }, parts);
      },
      verdict(kind, text) {
        if (kind === "deny") say({ kind, reason: text }, []);
        else if (kind === "ask") say({ kind, reason: text, input: null }, []);
        else say({ kind, text }, []);
      },
      failed,
      late() {
        const ended = running.get(id);
        if (graceMs <= 0 || ended === undefined || ended.timer !== null) return false;
        stop(ended, "window_overrun");
        return true;
      },
    };
  }

  /** Tells a tool, and ends it where it has not answered within its grace; anything else ends at once. */
  function stop(ended: Running, code: Code): void {
    if (ended.timer !== null) return;
    const end = (): void => {
      if (ended.call.over) return;
      turns.drop(ended.live, ended.call);
      ended.failed(code, sentence(code));
    };
    if (!ended.tool || ended.graceMs <= 0) {
      end();
      return;
    }
    ended.timer = setTimeout(() => jobs.run(end), ended.graceMs);
    turns.resume(ended.live, ended.call, IN.abort, [sentence(code)]);
  }
}
