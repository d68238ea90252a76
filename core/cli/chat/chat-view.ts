import type { Block } from "./screen/document.ts";
import type { ChatState, Entry } from "./state/chat-state.ts";
import { createMarkdownView, entryLines } from "./view/entry-lines.ts";
import type { Look, Paint } from "./view/look.ts";
import { guarded } from "./view/screen-text.ts";
import { fitted } from "./view/wrapped.ts";

/** The conversation as blocks of lines. What is over is made once for each width. */
export function createChatView(paint: Paint): (state: ChatState, look: Look) => Block[] {
  const markdown = createMarkdownView(paint);
  const made = new WeakMap<Entry, { width: number; expanded: boolean; block: Block }>();
  return ({ entries }, look) =>
    entries.map((entry) => {
      const before = made.get(entry);
      // A call that goes on also tells for how long.
      if (before?.width === look.width && before.expanded === look.expanded && !(entry.live && entry.kind === "tool")) return before.block;
      const lines = entryLines(entry, look, markdown).map((line) => fitted(guarded(line), look.width));
      const block = { id: entry.id, live: entry.live, lines };
      made.set(entry, { width: look.width, expanded: look.expanded, block });
      return block;
    });
}
