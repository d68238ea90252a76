import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectStrings, replaceStrings } from "../../../core/redact/strings.ts";

describe("collectStrings()", () => {
  it("gathers every string in order, then each key once", () => {
    expect(collectStrings({ b: "1", a: ["2", { c: "3", n: 5 }, null, true], d: "" })).toEqual(["1", "2", "3", "", "b", "a", "c", "n", "d"]);
  });

  it.each([null, undefined, 5, true, [], {}])("finds none in %j", (value) => {
    expect(collectStrings(value)).toEqual([]);
  });
});

describe("replaceStrings()", () => {
  it("puts back in the order in which they were gathered", () => {
    const value = { b: "1", a: ["2", { c: "3", n: 5, u: undefined }, null, true], d: "" };
    expect(replaceStrings(value, ["w", "x", "y", "z", "b", "a", "key", "n", "u", "d"])).toEqual({
      b: "w",
      a: ["x", { key: "y", n: 5, u: undefined }, null, true],
      d: "z",
    });
  });

  it("leaves what it was given alone", () => {
    const value = Object.freeze({ a: Object.freeze(["x"]) });
    replaceStrings(value, ["y", "a"]);
    expect(value).toEqual({ a: ["x"] });
  });

  it("keeps keys of the prototype as keys", () => {
    const value: unknown = JSON.parse('{"__proto__": {"allow": "yes"}, "constructor": "c"}');
    const copy = replaceStrings(value, ["no", "d", "__proto__", "allow", "constructor"]) as object;
    expect(Object.entries(copy)).toEqual([
      ["__proto__", { allow: "no" }],
      ["constructor", "d"],
    ]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(({} as { allow?: unknown }).allow).toBeUndefined();
  });

  it("tells keys apart that become alike", () => {
    expect(replaceStrings({ one: 1, two: 2 }, ["x", "x"])).toEqual({ x: 1, "x (2)": 2 });
  });

  it("tells very many keys apart that all become alike, soon", () => {
    const count = 100_000;
    const value = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    const began = performance.now();
    const copy = replaceStrings(value, Array(count).fill("x"));
    expect(Object.values(copy)).toHaveLength(count);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("takes no key that was there for one that became like another", () => {
    expect(replaceStrings({ a: 1, b: 2, c: 3, d: 4 }, ["x", "x (2)", "x", "x"])).toEqual({ x: 1, "x (2)": 2, "x (3)": 3, "x (4)": 4 });
  });

  it("gives any JSON back as it was, with its own strings", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const texts = collectStrings(value);
        expect(JSON.stringify(replaceStrings(value, texts))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("reaches into what is nested more deeply than calls can be", () => {
    let deep: unknown = "secret";
    for (let i = 0; i < 200_000; i++) deep = i % 2 === 0 ? [deep] : { a: deep };
    expect(collectStrings(deep)).toEqual(["secret", "a"]);
    let inner: unknown = replaceStrings(deep, ["hidden", "a"]);
    while (typeof inner === "object" && inner !== null) inner = Object.values(inner)[0];
    expect(inner).toBe("hidden");
  });

  it("goes through millions of values soon", () => {
    const value = { list: Array.from({ length: 1_000_000 }, (_, i) => ({ text: "x", i })) };
    const began = performance.now();
    const texts = collectStrings(value);
    expect(texts).toHaveLength(1_000_003);
    expect(collectStrings(replaceStrings(value, texts))).toEqual(texts);
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});
