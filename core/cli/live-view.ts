import { widthOf } from "./table.ts";
import { visibleLine } from "./visible.ts";

/** What a tool shows while it runs: its last lines on a terminal, in a place that is cleared before anything else is written. */
export type LiveView = {
  write(text: string): void;
  /** Takes the lines away; what is written later begins anew. */
  clear(): void;
};

export type LiveScreen = { write(text: string): unknown; columns?: number };

/** Lines shown, and characters of them that are remembered. */
const LINES = 5;
const KEPT_CHARS = 8 * 1024;
/** Milliseconds between two paintings: a terminal is slower than a tool. */
const PAINT_MS = 50;

/** @param paint Sets the lines off from all others. */
export function createLiveView(screen: LiveScreen, paint: (line: string) => string): LiveView {
  let kept = "";
  let shown = 0;
  let timer: NodeJS.Timeout | undefined;

  const erase = () => {
    if (shown > 0) screen.write(`\u001b[${shown}A\r\u001b[J`);
    shown = 0;
  };
  const show = () => {
    timer = undefined;
    const lines = kept.replace(/\n$/, "").split("\n").slice(-LINES);
    erase();
    const room = Math.max((screen.columns || 80) - 3, 1);
    screen.write(lines.map((line) => `${paint(`│ ${fitting(visibleLine(line), room)}`)}\n`).join(""));
    shown = lines.length;
  };

  return {
    write(text) {
      kept = (kept + text).slice(-KEPT_CHARS);
      timer ??= setTimeout(show, PAINT_MS);
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
      kept = "";
      erase();
    },
  };
}

/** As much of a line as has room. */
function fitting(line: string, room: number): string {
  let width = 0;
  let fits = "";
  for (const character of line.slice(0, room * 2)) {
    width += widthOf(character);
    if (width > room) return fits;
    fits += character;
  }
  return fits;
}
