import { describe, expect, it } from "vitest";
import { MAX_LEVELS, plainJson } from "../../core/plain-json.ts";
import { PAYLOAD_CHARS } from "../../sdk/wire.ts";

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}1${"]".repeat(levels)}`);

describe("plainJson()", () => {
  it("gives a copy that changes of the original do not reach", () => {
    const given = { list: [1], text: "a" };
    const copy = plainJson(given);
    given.list.push(2);
    expect(copy).toEqual({ list: [1], text: "a" });
  });

  it("keeps what JSON can hold, a key called __proto__ and halves of characters too", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":null},"half":"\\ud800","nul":"\\u0000","zero":0}');
    const copy = plainJson(value);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it("keeps long texts, and what looks like a mark of one", () => {
    const value = { long: "\u0000".repeat(100_000), mark: "\u00000", list: [{ deep: "a".repeat(100_000) }] };
    const copy = plainJson(value);
    expect(copy).toEqual(value);
    expect(copy).not.toBe(value);
  });

  it("is undefined for what is no JSON at all", () => {
    expect(plainJson(undefined)).toBeUndefined();
    expect(plainJson(() => {})).toBeUndefined();
  });

  it("takes as many levels as are allowed, and no more", () => {
    expect(plainJson(nested(MAX_LEVELS))).toEqual(nested(MAX_LEVELS));
    expect(() => plainJson(nested(MAX_LEVELS + 1))).toThrow(RangeError);
    expect(() => plainJson(nested(100_000))).toThrow(RangeError);
  });

  it("refuses what is larger than an isolate takes", () => {
    expect(() => plainJson({ text: "a".repeat(PAYLOAD_CHARS) })).toThrow(RangeError);
  });

  it("refuses what holds itself, and what has no JSON", () => {
    const self: Record<string, unknown> = {};
    self.self = self;
    expect(() => plainJson(self)).toThrow(TypeError);
    expect(() => plainJson({ big: 1n })).toThrow(TypeError);
  });
});
