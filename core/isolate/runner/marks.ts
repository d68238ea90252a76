import { writeSync } from "node:fs";
import { MARK_BYTES, type Mark, writeMark } from "../protocol/mark.ts";

export type Marks = { begin(plugin: number, handler: number, call: number, sliceMs: number): void };

/** Says in the inherited file which plugin runs, before each turn; and, once the runner is back in its loop, that none does. */
export function createMarks(fd: number): Marks {
  const buffer = Buffer.alloc(MARK_BYTES);
  const mark: Mark = { turn: 0, running: false, plugin: 0, handler: 0, call: 0, sliceMs: 0 };
  const write = (): void => {
    writeMark(buffer, mark);
    writeSync(fd, buffer, 0, MARK_BYTES, 0);
  };
  const idle = (): void => {
    mark.running = false;
    write();
  };
  write();
  return {
    begin(plugin, handler, call, sliceMs) {
      if (!mark.running) process.nextTick(idle);
      mark.turn = (mark.turn + 1) >>> 0;
      mark.running = true;
      mark.plugin = plugin;
      mark.handler = handler;
      mark.call = call;
      mark.sliceMs = Math.ceil(sliceMs);
      write();
    },
  };
}
