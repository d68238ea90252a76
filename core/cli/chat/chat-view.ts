import type { Block } from "./screen/document.ts";
import type { ChatState, Entry } from "./state/chat-state.ts";
import { entryLines } from "./view/entry-lines.ts";
import type { Look, Paint } from "./view/look.ts";
import { createMarkdownView } from "./view/markdown-view.ts";
import { guarded } from "./view/screen-text.ts";
import { shortLine, toolLines } from "./view/tool-lines.ts";
import { fitted } from "./view/wrapped.ts";

export type ChatView = {
  /** The conversation but for the calls that go on. What is over is made once for each width. */
  blocks(state: ChatState, look: Look): Block[];
  /** The calls that go on, in at most so many lines. */
  calls(state: ChatState, look: Look, rows: number): string[];
};

export function createChatView(paint: Paint): ChatView {
  const markdown = createMarkdownView(paint);
  const made = new WeakMap<Entry, { width: number; expanded: boolean; block: Block }>();
  /** Of an entry that grows most lines are those of before. */
  let last: { id: number; width: number; raw: readonly string[]; lines: readonly string[] } | undefined;
  const safe = (id: number, raw: readonly string[], width: number): readonly string[] => {
    const before = last?.id === id && last.width === width ? last : undefined;
    const lines = raw.map((line, index) => (before?.raw[index] === line ? (before.lines[index] ?? "") : fitted(guarded(line), width)));
    last = { id, width, raw, lines };
    return lines;
  };
  const blockOf = (entry: Entry, look: Look): Block => {
    const before = made.get(entry);
    if (before?.width === look.width && before.expanded === look.expanded) return before.block;
    const lines = safe(entry.id, entryLines(entry, look, markdown), look.width);
    const block = { id: entry.id, live: entry.live, lines };
    made.set(entry, { width: look.width, expanded: look.expanded, block });
    return block;
  };
  return {
    blocks: ({ entries }, look) => entries.filter((entry) => !isCall(entry)).map((entry) => blockOf(entry, look)),
    calls({ entries }, look, rows) {
      const going = entries.filter(isCall).flatMap((entry) => (entry.kind === "tool" ? [entry.row] : []));
      for (const lines of [undefined, 3, 1, 0]) {
        const shown = going.map((row) => ["", ...toolLines(row, { ...look, expanded: false, ...(lines === undefined ? {} : { liveLines: lines }) })]);
        if (shown.flat().length <= rows) return shown.flat();
      }
      const short = going.map((row) => shortLine(row, look));
      const most = Math.max(0, rows - 2);
      if (short.length <= rows - 1) return ["", ...short];
      return most === 0 ? [] : ["", ...short.slice(0, most), look.paint("dim", `  and ${short.length - most} more calls`)];
    },
  };
}

function isCall(entry: Entry): boolean {
  return entry.live && entry.kind === "tool";
}
