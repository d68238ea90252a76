import type { Code } from "../../../sdk/errors.ts";
import type { Channel } from "../../frames/channel.ts";
import type { RunnerMessage } from "../protocol/messages.ts";
import { type Value, writeValue } from "../protocol/values.ts";

/** What the runner says to the host. */
export type Speech = {
  say(message: RunnerMessage, parts?: readonly string[]): void;
  log(plugin: number, level: "debug" | "info" | "warn" | "error", text: string): void;
  strike(plugin: number, code: Code): void;
  call(request: number, plugin: number, of: number, method: string, args: Value): void;
  /** Hands over at once what was said, in the middle of a turn. */
  flush(): void;
  /** Bytes that the host has not taken yet. */
  backlog(): number;
};

const LINES_PER_SECOND = 200;
const BACKLOG_BYTES = 4 * 1024 * 1024;

/** Lines of a log are dropped, and counted, where a plugin writes too many or the host does not keep up. */
export function createSpeech(channel: Channel): Speech {
  const say: Speech["say"] = (message, parts = []) => channel.send(message, parts);
  const gates = new Map<number, { second: number; lines: number; dropped: number }>();

  return {
    say,
    log(plugin, level, text) {
      const second = Math.floor(performance.now() / 1_000);
      const gate = gates.get(plugin) ?? { second, lines: 0, dropped: 0 };
      gates.set(plugin, gate);
      if (gate.second !== second) {
        if (gate.dropped > 0) say({ t: "log", plugin, level: "warn", text: `${gate.dropped} lines were dropped` });
        Object.assign(gate, { second, lines: 0, dropped: 0 });
      }
      if (++gate.lines > LINES_PER_SECOND || channel.backlog() > BACKLOG_BYTES) gate.dropped++;
      else say({ t: "log", plugin, level, text });
    },
    strike: (plugin, code) => say({ t: "strike", plugin, code }),
    call(request, plugin, of, method, args) {
      const parts: string[] = [];
      say({ t: "call", request, plugin, of, method, args: writeValue(args, parts) }, parts);
    },
    flush: () => channel.flush(),
    backlog: () => channel.backlog(),
  };
}
