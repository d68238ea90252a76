import { createChatView } from "../chat-view.ts";
import { initialState } from "../state/chat-state.ts";
import { type ChatEvent, reduce } from "../state/reduce.ts";
import type { Look } from "./look.ts";

const ANSWER =
  "# One\n\nTwo **three** `four`, [five](https://example.org):\n\n- six\n\n1. seven\n\n```sh\neight\n```\n\n| nine |\n| --- |\n| ten |\n";

/** Shows an answer to nobody, so that the first that counts is not kept waiting for code that never ran. */
export function rehearse(look: Look): void {
  const view = createChatView(look.paint);
  let state = initialState({ model: "", context: { tokens: 0, window: 0 }, costUsd: null, title: null });
  const events: ChatEvent[] = [
    { type: "run_start", model: "" },
    { type: "turn_start", turn: 1 },
    ...(ANSWER.match(/[\s\S]{1,8}/g) ?? []).map((text): ChatEvent => ({ type: "text_delta", text })),
  ];
  for (const event of events) {
    state = reduce(state, event, look.now);
    view.blocks(state, look);
  }
}
