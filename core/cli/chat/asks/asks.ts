import { isKeyRelease } from "@earendil-works/pi-tui";
import type { Clock } from "../../../agent/clock.ts";
import type { Panel } from "./panel.ts";

/** Questions for the person, one after another. What is not answered is undefined, which allows nothing. */
export type Asks = {
  /** @param open Makes the panel once it is its turn. Its answer counts once. */
  ask<Answer>(open: (answer: (answer: Answer | undefined) => void) => Panel, signal: AbortSignal): Promise<Answer | undefined>;
  /** The one that is asked now. */
  current(): Panel | undefined;
  waiting(): number;
  key(data: string): void;
  /** The one that is asked now gets no answer. */
  turnAway(): void;
  /** The terminal was with somebody else meanwhile: what is asked counts as not seen yet. */
  unseen(): void;
  /** Nobody answers any more: all that is asked, now and later, is undefined. */
  close(): void;
};

/**
 * What was typed before a question is there is no answer to it: keys are dropped until none came for so long, and for so long at least; in
 * milliseconds. A key that means nothing to the question is text for something else, and begins that anew.
 */
const QUIET_MS = 250;
const LEAST_MS = 400;

export function createAsks(clock: Pick<Clock, "now">, changed: () => void): Asks {
  type Asked = { open(): Panel; end(): void };
  const queue: Asked[] = [];
  /** `shownAt` is infinite until it was drawn, and again minus infinite once keys count. */
  let current: { asked: Asked; panel: Panel; shownAt: number; keyAt: number } | undefined;
  let isClosed = false;

  const next = () => {
    const [asked] = queue;
    current =
      asked === undefined ? undefined : { asked, panel: seen(asked.open()), shownAt: Number.POSITIVE_INFINITY, keyAt: Number.NEGATIVE_INFINITY };
    changed();
  };
  /** What takes long to be drawn is not seen before: a key that was typed meanwhile is read right after it. */
  const seen = (panel: Panel): Panel => {
    const shown: Panel = {
      key: panel.key,
      lines(look, rows) {
        const lines = panel.lines(look, rows);
        if (current?.panel === shown && current.shownAt === Number.POSITIVE_INFINITY) current.shownAt = clock.now();
        return lines;
      },
    };
    return shown;
  };

  return {
    ask: (open, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || isClosed) return resolve(undefined);
        let isOver = false;
        const end = (answer?: Parameters<typeof resolve>[0]) => {
          if (isOver) return;
          isOver = true;
          signal.removeEventListener("abort", onAbort);
          queue.splice(queue.indexOf(asked), 1);
          resolve(answer);
          if (current?.asked === asked) next();
          else changed();
        };
        const onAbort = () => end();
        const asked: Asked = { open: () => open((answer) => end(answer)), end: () => end() };
        signal.addEventListener("abort", onAbort, { once: true });
        queue.push(asked);
        if (current === undefined) next();
        else changed();
      }),
    current: () => current?.panel,
    waiting: () => Math.max(0, queue.length - 1),
    key(data) {
      if (current === undefined || isKeyRelease(data)) return;
      const now = clock.now();
      const isEarly = now - current.shownAt < LEAST_MS || now - current.keyAt < QUIET_MS;
      if (isEarly && current.shownAt !== Number.NEGATIVE_INFINITY) {
        current.keyAt = now;
        return;
      }
      // From the first key that counts, all do.
      current.shownAt = Number.NEGATIVE_INFINITY;
      const { panel } = current;
      // Text is meant for something else, and so is the digit in it.
      if (!panel.key(data) && current?.panel === panel) Object.assign(current, { shownAt: now - LEAST_MS, keyAt: now });
      changed();
    },
    turnAway: () => current?.asked.end(),
    unseen() {
      if (current !== undefined) current.shownAt = Number.POSITIVE_INFINITY;
    },
    close() {
      isClosed = true;
      for (const asked of [...queue]) asked.end();
    },
  };
}
