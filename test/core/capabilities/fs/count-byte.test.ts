import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countByte } from "../../../../core/capabilities/fs/count-byte.ts";

const plain = (bytes: Uint8Array, byte: number) => bytes.reduce((sum, each) => sum + (each === byte ? 1 : 0), 0);

describe("countByte()", () => {
  it("counts as one by one, wherever the bytes begin in memory", () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => array.map((byte) => (byte % 3 === 0 ? 10 : byte)));
    fc.assert(
      fc.property(bytes, fc.nat(7), fc.constantFrom(10, 0, 255, 128), (array, from, byte) => {
        const part = array.subarray(Math.min(from, array.length));
        expect(countByte(part, byte)).toBe(plain(part, byte));
      }),
    );
  });

  it("counts many", () => {
    expect(countByte(Buffer.alloc(1_000_003, 10), 10)).toBe(1_000_003);
    expect(countByte(Buffer.alloc(1_000_003, 0x8a), 10)).toBe(0);
  });
});
