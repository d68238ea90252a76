import { Key, matchesKey } from "@earendil-works/pi-tui";
import type { Look } from "../view/look.ts";
import { fitted } from "../view/wrapped.ts";

/** Lines that may be more than have room. What is not shown is said, and the keys that show it. */
export type Scrolled = {
  lines(all: readonly string[], rows: number, look: Look): string[];
  /** Whether the key was one of its own. */
  key(data: string): boolean;
};

/** Least lines that are shown, however small the screen is. */
const LEAST = 4;

export function createScrolled(): Scrolled {
  let at = 0;
  let page = LEAST;
  let most = 0;
  /** Until it is scrolled both ends are shown: what matters may stand at either. */
  let isMoved = false;

  return {
    lines(all, rows, { paint, width }) {
      const room = Math.max(LEAST, rows);
      if (all.length <= room) {
        most = 0;
        return [...all];
      }
      const note = (text: string) => fitted(paint("yellow", text), width);
      page = Math.max(1, room - 1);
      most = all.length - page;
      at = Math.min(at, most);
      if (!isMoved) {
        const tail = Math.max(1, Math.floor(page / 3));
        const head = page - tail;
        return [
          ...all.slice(0, head),
          note(`  ... ${all.length - page} of ${all.length} lines are not shown here: PageDown and PageUp show them`),
          ...all.slice(-tail),
        ];
      }
      return [...all.slice(at, at + page), note(`  lines ${at + 1} to ${at + page} of ${all.length} (PageDown, PageUp)`)];
    },
    key(data) {
      const step = matchesKey(data, Key.pageDown) ? page : matchesKey(data, Key.pageUp) ? -page : 0;
      if (step === 0) return false;
      if (most > 0) {
        at = isMoved ? Math.max(0, Math.min(most, at + step)) : step > 0 ? 0 : most;
        isMoved = true;
      }
      return true;
    },
  };
}
