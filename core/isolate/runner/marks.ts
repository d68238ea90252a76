import { writeSync } from "node:fs";
import { MARK_BYTES, type Mark, NO_MARK, writeMark } from "../protocol/mark.ts";
import { createGrowth } from "./growth.ts";

export type Marks = { begin(plugin: number, handler: number, call: number, sliceMs: number): void };

/** Says in the inherited file which plugin runs, before each turn; and, once the runner is back in its loop, that none does. */
export function createMarks(fd: number): Marks {
  const buffer = Buffer.alloc(MARK_BYTES);
  const growth = createGrowth();
  const mark: Mark = { ...NO_MARK };
  const look = (): void => {
    growth.look(mark.plugin);
    const largest = growth.largest();
    mark.bytes = growth.bytes();
    mark.largest = largest.plugin;
    mark.largestBytes = largest.bytes;
  };
  const idle = (): void => {
    look();
    mark.running = false;
    put();
  };
  put();
  return {
    begin(plugin, handler, call, sliceMs) {
      if (!mark.running) process.nextTick(idle);
      look();
      mark.turn = (mark.turn + 1) >>> 0;
      mark.running = true;
      mark.plugin = plugin;
      mark.handler = handler;
      mark.call = call;
      mark.sliceMs = Math.ceil(sliceMs);
      put();
    },
  };

  function put(): void {
    writeMark(buffer, mark);
    writeSync(fd, buffer, 0, MARK_BYTES, 0);
  }
}
