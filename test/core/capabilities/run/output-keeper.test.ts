import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputKeeper } from "../../../../core/capabilities/run/output-keeper.ts";

describe("createOutputKeeper()", () => {
  it("keeps all that fits", () => {
    const keeper = createOutputKeeper(10);
    keeper.push("12345");
    keeper.push("67890");
    expect(keeper.read()).toEqual({ text: "1234567890", droppedBytes: 0, cutAt: 5 });
  });

  it("cuts at the same places however the text comes, and says exactly what is missing", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), (pieces, max) => {
        const inPieces = createOutputKeeper(max);
        for (const piece of pieces) inPieces.push(piece);
        const whole = pieces.join("");
        const { text, droppedBytes, cutAt } = inPieces.read();
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max);
        expect(Buffer.byteLength(text) + droppedBytes).toBe(Buffer.byteLength(whole));
        expect(whole.startsWith(text.slice(0, cutAt))).toBe(true);
        expect(whole.endsWith(text.slice(cutAt))).toBe(true);
        expect(text.isWellFormed()).toBe(whole.isWellFormed());
        const atOnce = createOutputKeeper(max);
        atOnce.push(whole);
        expect(atOnce.read()).toEqual(inPieces.read());
      }),
    );
  });

  it("takes what is left of a line with it", () => {
    const keeper = createOutputKeeper(20);
    keeper.push("aaaa\nbbbb\ncccc\ndddd\neeee\nffff");
    expect(keeper.read()).toEqual({ text: "aaaa\nbbbb\neeee\nffff", droppedBytes: 10, cutAt: 10 });
    const other = createOutputKeeper(18);
    other.push("aaaa\nbbbb\ncccc\ndddd\neeee\nffff");
    expect(other.read()).toEqual({ text: "aaaa\nffff", droppedBytes: 20, cutAt: 5 });
  });

  it("gives the last lines", () => {
    const keeper = createOutputKeeper(100);
    keeper.push("a\nb\nc\n");
    expect(keeper.lastLines(2)).toBe("b\nc\n");
    expect(keeper.lastLines(9)).toBe("a\nb\nc\n");
    keeper.push("d");
    expect(keeper.lastLines(2)).toBe("c\nd");
    expect(createOutputKeeper(100).lastLines(3)).toBe("");
  });

  it("holds little, however small the pieces are", () => {
    const keeper = createOutputKeeper(1_000);
    for (let piece = 0; piece < 100_000; piece++) keeper.push("x");
    expect(keeper.heldBytes()).toBeLessThanOrEqual(1_500);
    expect(keeper.read()).toMatchObject({ text: "x".repeat(1_000), droppedBytes: 99_000 });
  });

  it("counts what it let go of", () => {
    const keeper = createOutputKeeper(100);
    keeper.push("abc");
    keeper.forget();
    expect(keeper.read()).toEqual({ text: "", droppedBytes: 3, cutAt: 0 });
    keeper.push("def");
    expect(keeper.producedBytes()).toBe(6);
  });
});
