import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFrameReader, encodeFrame, FRAME_BYTES, type Frame } from "../../../core/frames/frames.ts";

const readAll = (bytes: Buffer, cuts: readonly number[] = []): Frame[] => {
  const frames: Frame[] = [];
  const read = createFrameReader((frame) => frames.push(frame));
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (cut > from) read(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  return frames;
};

describe("frames", () => {
  it("come out as they went in, however the bytes are cut", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.constantFrom("\ud800", "x\udfff", "ü".repeat(20_000), `\ud800${"y".repeat(20_000)}`),
    );
    const frame = fc.record({ head: fc.string(), parts: fc.array(text, { maxLength: 5 }) });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 4 }), fc.array(fc.nat(50_000), { maxLength: 6 }), (frames, cuts) => {
        const bytes = Buffer.concat(frames.flatMap(({ head, parts }) => encodeFrame(head, parts)));
        const sorted = cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
        expect(readAll(bytes, sorted)).toEqual(frames);
      }),
    );
  });

  it("are refused where they are larger than any may be", () => {
    const part = "x".repeat(FRAME_BYTES / 2);
    expect(() => encodeFrame("{}", [part, part])).toThrow(RangeError);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(FRAME_BYTES + 1);
    expect(() => readAll(size)).toThrow(RangeError);
  });

  it.each([
    ["a size too small for a head", [4, 0, 0, 0, 0, 0, 0, 0]],
    ["a head beyond its end", [8, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]],
    ["parts beyond its end", [8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]],
    ["bytes that belong to nothing", [9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    ["a part beyond its end", [12, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0]],
    ["more parts than any has", [12, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0]],
  ])("are refused with %s", (_what, bytes) => {
    expect(() => readAll(Buffer.from(bytes))).toThrow(RangeError);
  });
});
