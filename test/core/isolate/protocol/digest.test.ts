import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../../../core/isolate/protocol/digest.ts";

describe("digestOf()", () => {
  it("counts bytes, not characters, and hashes what it counts", () => {
    const sha256 = createHash("sha256").update('"\u00e9"').digest("hex");
    expect(digestOf('"\u00e9"', [])).toEqual({ bytes: 4, sha256 });
  });

  it("looks at the long strings too", () => {
    const one = digestOf('"\\u00000"', ["one"]);
    expect(one.bytes).toBe(12);
    expect(one.sha256).not.toBe(digestOf('"\\u00000"', ["two"]).sha256);
  });
});
