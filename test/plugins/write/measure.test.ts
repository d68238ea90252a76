import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measure } from "../../../plugins/write/measure.ts";

describe("measure()", () => {
  it("counts bytes as they are written, and lines", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(measure(text).bytes).toBe(Buffer.byteLength(text));
      }),
    );
    const lines = (text: string) => measure(text).lines;
    expect([lines(""), lines("a"), lines("a\n"), lines("a\nb"), lines("\n\n")]).toEqual([0, 1, 1, 2, 2]);
  });
});
