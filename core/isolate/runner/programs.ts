import { type Code, sentence } from "../../../sdk/errors.ts";
import { IN } from "../../../sdk/turn.ts";
import type { HostMessage } from "../protocol/messages.ts";
import { writeValue } from "../protocol/values.ts";
import { resolveValue } from "./outbox.ts";
import type { MakeIsolate, PluginIsolate } from "./plugin-isolate.ts";
import { createPrints } from "./prints.ts";
import { createLive } from "./residents.ts";
import type { Speech } from "./speech.ts";
import type { Turns } from "./turns.ts";

export type ProgramMessage = Extract<HostMessage, { t: "program" }>;

/** Code that is no plugin's, in an isolate that holds nothing else. */
export type Programs = { run(message: ProgramMessage, parts: readonly string[]): void };

const LATE_CHARS = 500;

export function createPrograms(make: MakeIsolate, turns: Turns, speech: Speech): Programs {
  return {
    run({ id, plugin, memoryMb, timeoutMs }, [script = "", tools = "[]"]) {
      const tell = (method: string, text: string): void => speech.call(0, plugin, id, method, { json: '["\\u00000"]', blobs: [{ text, known: -1 }] });
      const prints = createPrints((text) => {
        tell("output.write", text);
        speech.flush();
      });
      const failed = (code: Code): void => {
        prints.flush();
        speech.say({ t: "failed", id, failure: { code, message: sentence(code), plugin: "" }, cpuMs: 0 });
      };

      let isolate: PluginIsolate;
      try {
        isolate = make(memoryMb, false, (text) => tell("output.late", text.slice(0, LATE_CHARS)), prints.print);
      } catch {
        failed("memory_exceeded");
        return;
      }
      const live = createLive({ plugin, name: "", memoryMb, code: "", options: "{}", manifest: null, live: null }, isolate);
      live.waiting = null;
      const call = turns.start(live, {
        kind: IN.program,
        handler: -1,
        of: id,
        args: [script, tools],
        inbox: [],
        open: 0,
        windowMs: timeoutMs,
        sliceMs: timeoutMs,
        budgetMs: timeoutMs,
        said: {
          answer(draft) {
            prints.flush();
            const parts: string[] = [];
            const value = writeValue(resolveValue(draft.value, []), parts);
            speech.say({ t: "invoked", id, answer: { kind: "value", value }, cpuMs: call.cpuMs }, parts);
          },
          verdict: () => failed("wrong_answer"),
          failed,
          idle() {
            turns.drop(live, call);
            failed("never_settles");
          },
        },
      });
    },
  };
}
