import { describe, expect, it } from "vitest";
import { digestOf } from "../../../../core/isolate/protocol/digest.ts";
import { NO_VALUE, readValue, sameValue, type Value, valueOrDigest, writeValue } from "../../../../core/isolate/protocol/values.ts";

const value: Value = {
  json: '["\\u00000","\\u00001"]',
  blobs: [
    { text: "new", known: -1 },
    { text: "old", known: 1 },
  ],
};

describe("writeValue()", () => {
  it("sends what the other side has as a reference", () => {
    const parts = ["first"];
    const wire = writeValue(value, parts);
    expect(wire).toEqual([1, 2, -2]);
    expect(parts).toEqual(["first", value.json, "new"]);
    expect(readValue(wire, parts, ["x", "old"])).toEqual(value);
  });

  it("tells nothing from null", () => {
    const parts: string[] = [];
    expect(readValue(writeValue(NO_VALUE, parts), parts, [])).toEqual(NO_VALUE);
    expect(readValue(writeValue({ json: "null", blobs: [] }, parts), parts, [])).toEqual({ json: "null", blobs: [] });
  });
});

describe("readValue()", () => {
  it.each([[[3]], [[0, 5]], [[0, -2]], [[0, -1]]])("refuses %j, which names what is not there", (wire) => {
    expect(() => readValue(wire, ["{}"], [])).toThrow(RangeError);
  });
});

describe("sameValue()", () => {
  it("compares JSON and long strings, by reference where it can", () => {
    expect(sameValue(value, { ...value, blobs: [...value.blobs] })).toBe(true);
    expect(
      sameValue(value, {
        json: value.json,
        blobs: [
          { text: "new", known: -1 },
          { text: "other", known: -1 },
        ],
      }),
    ).toBe(false);
    expect(sameValue(value, { json: value.json, blobs: [] })).toBe(false);
    expect(sameValue(NO_VALUE, { json: "null", blobs: [] })).toBe(false);
  });
});

describe("valueOrDigest()", () => {
  it("keeps a value up to the limit, and size and hash of one beyond", () => {
    const chars = (value.json ?? "").length + 6;
    expect(valueOrDigest(value, chars)).toBe(value);
    expect(valueOrDigest(value, chars - 1)).toEqual(digestOf(value.json, ["new", "old"]));
  });
});
