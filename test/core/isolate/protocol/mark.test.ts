import { describe, expect, it } from "vitest";
import { MARK_BYTES, type Mark, readMark, writeMark } from "../../../../core/isolate/protocol/mark.ts";

const mark: Mark = { turn: 4_294_967_295, running: true, plugin: 7, handler: -1, call: 9, sliceMs: 250, bytes: 1e10, largest: 3, largestBytes: 12.5 };

describe("readMark()", () => {
  it("reads what was written", () => {
    const buffer = Buffer.alloc(MARK_BYTES);
    writeMark(buffer, mark);
    expect(readMark(buffer)).toEqual(mark);
  });

  it("does not take a mark that was half written", () => {
    const buffer = Buffer.alloc(MARK_BYTES);
    writeMark(buffer, mark);
    const next = Buffer.alloc(MARK_BYTES);
    writeMark(next, { ...mark, turn: 1, plugin: 8 });
    next.copy(buffer, 0, 0, 20);
    expect(readMark(buffer)).toBeUndefined();
  });
});
