import { costOf } from "../../../session/session-state.ts";
import { tableOf } from "../../table.ts";
import { visibleLine } from "../../visible.ts";
import type { ChatCommand } from "../chat-control.ts";

/** Shows what the session used so far, by model. */
export const cost: ChatCommand = {
  name: "cost",
  description: "show what this session used, by model",
  source: "mortise",
  async run(_args, { session, agent }) {
    const { usage } = session.state;
    const { tokens, window } = agent.context();
    const context = `The context holds ${tokens} of ${window} tokens.`;
    if (usage.size === 0) return `No model was asked yet. ${context}`;
    const rows = [...usage].map(([model, { usage: used, costUsd }]) => [
      visibleLine(model),
      `${used.input} in`,
      `${used.output} out`,
      `${used.cacheRead} from the cache`,
      `${used.cacheWrite} to it`,
      usd(costUsd),
    ]);
    return [...tableOf(rows), `Together: ${usd(costOf(usage))}. ${context}`].join("\n");
  },
};

function usd(cost: number | null): string {
  return cost === null ? "no price known" : `${cost.toFixed(4)} USD`;
}
