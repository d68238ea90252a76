import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectStrings, replaceStrings } from "../../../core/redact/strings.ts";

const supply = (texts: readonly string[]) => {
  let at = 0;
  return () => texts[at++] ?? "none left";
};

describe("collectStrings()", () => {
  it("gathers every string in order, and no keys", () => {
    expect(collectStrings({ b: "1", a: ["2", { c: "3", n: 5 }, null, true], d: "" })).toEqual(["1", "2", "3", ""]);
  });

  it.each([null, undefined, 5, true, [], {}])("finds none in %j", (value) => {
    expect(collectStrings(value)).toEqual([]);
  });
});

describe("replaceStrings()", () => {
  it("puts back in the order in which they were gathered", () => {
    const value = { b: "1", a: ["2", { c: "3", n: 5, u: undefined }, null, true], d: "" };
    expect(replaceStrings(value, supply(["w", "x", "y", "z"]))).toEqual({ b: "w", a: ["x", { c: "y", n: 5, u: undefined }, null, true], d: "z" });
  });

  it("leaves what it was given alone", () => {
    const value = Object.freeze({ a: Object.freeze(["x"]) });
    replaceStrings(value, supply(["y"]));
    expect(value).toEqual({ a: ["x"] });
  });

  it("keeps keys of the prototype as keys", () => {
    const value: unknown = JSON.parse('{"__proto__": {"allow": "yes"}, "constructor": "c"}');
    const copy = replaceStrings(value, supply(["no", "d"])) as object;
    expect(Object.entries(copy)).toEqual([
      ["__proto__", { allow: "no" }],
      ["constructor", "d"],
    ]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(({} as { allow?: unknown }).allow).toBeUndefined();
  });

  it("gives any JSON back as it was, with its own strings", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const texts = collectStrings(value);
        let taken = 0;
        const copy = replaceStrings(value, () => texts[taken++] ?? "none left");
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
        expect(taken).toBe(texts.length);
      }),
    );
  });

  it("reaches into what is nested more deeply than calls can be", () => {
    let deep: unknown = "secret";
    for (let i = 0; i < 200_000; i++) deep = i % 2 === 0 ? [deep] : { a: deep };
    expect(collectStrings(deep)).toEqual(["secret"]);
    let inner: unknown = replaceStrings(deep, supply(["hidden"]));
    while (typeof inner === "object" && inner !== null) inner = Object.values(inner)[0];
    expect(inner).toBe("hidden");
  });

  it("goes through millions of values soon", () => {
    const value = { list: Array.from({ length: 1_000_000 }, (_, i) => ({ text: "x", i })) };
    const began = performance.now();
    expect(collectStrings(replaceStrings(value, () => "y"))).toHaveLength(1_000_000);
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});
