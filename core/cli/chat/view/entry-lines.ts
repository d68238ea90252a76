import type { Entry, Tone } from "../state/chat-state.ts";
import type { Look, Paint } from "./look.ts";
import type { MarkdownView } from "./markdown-view.ts";
import { screenLine, screenText } from "./screen-text.ts";
import { toolLines } from "./tool-lines.ts";
import { fitted, wrapped } from "./wrapped.ts";

/** Lines of a message that was sent, and of thinking, that are shown unless all is. */
const USER_LINES = 30;
const NOTICE_LINES = 400;
const THINKING_LINES = 2;

/** One entry of the conversation, with an empty line before it. */
export function entryLines(entry: Entry, look: Look, markdown: MarkdownView): string[] {
  return ["", ...bodyOf(entry, look, markdown)];
}

function bodyOf(entry: Entry, look: Look, markdown: MarkdownView): string[] {
  const { paint, width, expanded } = look;
  switch (entry.kind) {
    case "user":
      return userLines(entry, look);
    case "answer":
      return markdown(entry.id, entry.text, width);
    case "thinking": {
      const lines = wrapped(screenText(entry.text.trim()), width, "  ").map((line) => paint(["dim", "italic"], line));
      const head = paint("dim", "thinking");
      if (expanded || lines.length <= THINKING_LINES) return [head, ...lines];
      // While it goes on its end is the news.
      return entry.live
        ? [head, ...lines.slice(-THINKING_LINES)]
        : [fitted(paint("dim", `thought for ${lines.length} lines (Ctrl+O shows them)`), width)];
    }
    case "tool":
      return toolLines(entry.row, look);
    case "notice":
      return noticeLines(entry.tone, entry.text, paint, width);
  }
}

function userLines({ text, images, from, rewrittenBy }: Extract<Entry, { kind: "user" }>, { paint, width, expanded }: Look): string[] {
  const lines = wrapped(screenText(text), width, "> ", "  ");
  const left = lines.length - USER_LINES;
  const shown = expanded || left <= 0 ? lines : [...lines.slice(0, USER_LINES), `  ${left} more lines (Ctrl+O shows all)`];
  const notes = [
    ...(from === "report" ? ["told to the model"] : from === "plugin" ? ["said by a plugin"] : []),
    ...(rewrittenBy === null ? [] : [`rewritten by ${screenLine(rewrittenBy)}`]),
    ...(images === 0 ? [] : [`${images} image${images === 1 ? "" : "s"}`]),
  ];
  return [...shown.map((line) => paint("bold", line)), ...notes.flatMap((note) => wrapped(paint("cyan", note), width, "  "))];
}

const labels: Readonly<Record<Tone, string>> = { info: "", warning: "Note: ", error: "Error: " };

function noticeLines(tone: Tone, text: string, paint: Paint, width: number): string[] {
  const style = tone === "error" ? "red" : tone === "warning" ? "yellow" : "dim";
  const lines = wrapped(`${labels[tone]}${screenText(text)}`, width, "- ", "  ");
  const left = lines.length - NOTICE_LINES;
  const cut = `  [${left} lines in between are not shown]`;
  const shown = left <= 0 ? lines : [...lines.slice(0, NOTICE_LINES / 2), fitted(cut, width), ...lines.slice(-NOTICE_LINES / 2)];
  return shown.map((line) => paint(style, line));
}
