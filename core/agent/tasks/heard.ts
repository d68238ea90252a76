import type { AgentAnswer } from "../../../sdk/api.ts";
import type { SessionEvent } from "../session-event.ts";

/** What a subagent said and did, from its events. */
export type Heard = {
  hear(event: SessionEvent): void;
  /** From here on what is said is about another prompt. */
  begin(): void;
  turns(): number;
  /** All that was said since then and is worth anything; of very much the end. */
  said(): string;
  calls(): AgentAnswer["calls"];
};

const MAX_CHARS = 40_000;

export function createHeard(): Heard {
  const calls = new Map<string, { tool: string; calls: number; failed: number; denied: number }>();
  let texts: string[] = [];
  let streamed = "";
  let turns = 0;
  return {
    hear(event) {
      switch (event.type) {
        case "turn_start":
          turns++;
          streamed = "";
          break;
        case "text_delta":
          streamed += event.text;
          break;
        case "retry":
          streamed = "";
          break;
        case "turn_end":
          if (event.text.trim() !== "") texts.push(event.text.trim());
          streamed = "";
          break;
        case "tool_done": {
          const own = calls.get(event.tool) ?? { tool: event.tool, calls: 0, failed: 0, denied: 0 };
          const isDenied = event.marks.permission.decision === "deny";
          own.calls++;
          if (isDenied) own.denied++;
          else if (event.isError) own.failed++;
          calls.set(event.tool, own);
        }
      }
    },
    begin() {
      texts = [];
      streamed = "";
    },
    turns: () => turns,
    said() {
      const text = [...texts, streamed.trim()].filter((each) => each !== "").join("\n\n");
      return text.length <= MAX_CHARS ? text : `[...]${text.slice(-MAX_CHARS).toWellFormed()}`;
    },
    calls: () => [...calls.values()].map((each) => ({ ...each })),
  };
}
