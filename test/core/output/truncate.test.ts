import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_BYTES, MAX_LINE_CHARS, MAX_LINES, truncate } from "../../../core/output/truncate.ts";

const bytes = (text: string) => Buffer.byteLength(text);
const lines = (count: number, line: (i: number) => string = (i) => `ok ${i}`) => Array.from({ length: count }, (_, i) => line(i)).join("\n");

describe("truncate()", () => {
  it("has the limits that docs and tools name", () => {
    expect([MAX_LINES, MAX_BYTES, MAX_LINE_CHARS]).toEqual([2_000, 51_200, 4_000]);
  });

  it.each<[string, string]>([
    ["nothing", ""],
    ["as many lines as may be", lines(MAX_LINES, () => "x")],
    ["as many lines with an end each", `${lines(MAX_LINES, () => "x")}\n`],
    ["as many bytes as may be", "x".repeat(MAX_BYTES)],
    ["as many bytes of longer characters", "\u00e9".repeat(MAX_BYTES / 2)],
  ])("leaves %s as it is", (_, text) => {
    expect(truncate(text)).toBeUndefined();
  });

  it("leaves out one line of one line too many", () => {
    const text = lines(MAX_LINES + 1);
    expect(truncate(text)).toEqual({
      head: lines(1_000),
      tail: Array.from({ length: 1_000 }, (_, i) => `ok ${i + 1_001}`).join("\n"),
      omittedLines: 1,
      omittedBytes: bytes("ok 1000\n"),
    });
  });

  it("shortens the one line that is one byte too long", () => {
    const text = "x".repeat(MAX_BYTES + 1);
    const half = "x".repeat(MAX_LINE_CHARS / 2);
    const left = MAX_BYTES + 1 - MAX_LINE_CHARS;
    expect(truncate(text)).toEqual({ head: `${half} [${left} characters left out] ${half}`, tail: "", omittedLines: 0, omittedBytes: left });
  });

  it("keeps the failure at the end of a long run", () => {
    const summary = lines(12, (i) => `FAILED test ${i}`);
    const short = truncate(`${lines(3_000)}\n${summary}\nexit status 1`, { lines: 2_000, bytes: 2_000 });
    expect(short?.head.startsWith("ok 0\nok 1\n")).toBe(true);
    expect(short?.tail.endsWith(`${summary}\nexit status 1`)).toBe(true);
    expect(short!.omittedLines).toBeGreaterThan(2_500);
  });

  it("keeps as many lines as an odd limit says", () => {
    expect(
      truncate(
        lines(10, (i) => `${i}`),
        { lines: 5, bytes: 1_000 },
      ),
    ).toEqual({ head: "0\n1\n2", tail: "8\n9", omittedLines: 5, omittedBytes: 10 });
    expect(
      truncate(
        lines(10, (i) => `${i}`),
        { lines: 1, bytes: 1_000 },
      ),
    ).toEqual({ head: "0", tail: "", omittedLines: 9, omittedBytes: 18 });
  });

  it("cuts a character of four bytes at the limit nowhere", () => {
    const short = truncate(`${"a".repeat(98)}\u{1f600}${"b".repeat(50)}`, { lines: 10, bytes: 100 });
    expect(short?.head).toMatch(/^a+ \[\d+ characters left out\] b+$/);
    for (let i = 0; i < 40; i++) {
      const text = `${"x".repeat(i)}${"\u{1f600}".repeat(200)}`;
      const { head = "", tail = "" } = truncate(text, { lines: 10, bytes: 300 }) ?? {};
      expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
      expect(head).toMatch(/^x*\u{1f600}* \[/u);
    }
  });

  it("gives never more than the limits, of beginnings and ends that are in the text, and counts the rest", () => {
    const line = fc.oneof(
      { weight: 5, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
      fc.string({ unit: fc.constantFrom("a", "\u00e9", "\u{1f600}", "\ud800"), minLength: 100, maxLength: 400 }),
      fc.nat({ max: 9_000 }).map((count) => "long ".repeat(count / 5)),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 60, max: 20_000 }),
        (given, maxLines, maxBytes) => {
          const text = given.join("\n");
          const all = text.split("\n");
          const short = truncate(text, { lines: maxLines, bytes: maxBytes });
          const count = all.length - (all.at(-1) === "" ? 1 : 0);
          if (short === undefined) {
            expect(bytes(text) <= maxBytes && count <= maxLines).toBe(true);
            return;
          }
          const { head, tail, omittedLines, omittedBytes } = short;
          expect(bytes(head) + bytes(tail)).toBeLessThanOrEqual(maxBytes);
          expect(omittedBytes).toBeGreaterThan(0);
          expect(omittedBytes).toBeLessThanOrEqual(bytes(text));
          // The lines that are shown are the first ones, then the last ones.
          const [first, last] = [head, tail].map((part) => (part === "" ? [] : part.split("\n"))) as [string[], string[]];
          expect(first.length + last.length).toBeLessThanOrEqual(all.length - omittedLines);
          expect(all.length - omittedLines).toBeLessThanOrEqual(maxLines + 1);
          for (const [i, piece] of first.entries()) expectPiece(piece, all[i] ?? "");
          for (const [i, piece] of last.toReversed().entries()) expectPiece(piece, all.at(-1 - i) ?? "");
          if (all.every((each) => each.isWellFormed())) expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
        },
      ),
    );
  });

  it.each<[string, () => string]>([
    ["one line of a hundred megabytes", () => "x".repeat(100_000_000)],
    ["one line of longer characters", () => "\u{1f600}".repeat(25_000_000)],
    ["millions of empty lines", () => "\n".repeat(8_000_000)],
    ["millions of short lines", () => "ok\n".repeat(3_000_000)],
  ])("ends soon for %s", (_, text) => {
    const began = performance.now();
    const short = truncate(text());
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(bytes(short?.head ?? "") + bytes(short?.tail ?? "")).toBeLessThanOrEqual(MAX_BYTES);
  });
});

/** A piece is the line, or its beginning and end with a mark between that counts the rest. */
function expectPiece(piece: string, line: string): void {
  if (piece === line) return;
  const [, head = "", count = "", tail = ""] = /^([\s\S]*) \[(\d+) characters left out\] ([\s\S]*)$/.exec(piece) ?? [];
  expect(line.startsWith(head)).toBe(true);
  expect(line.endsWith(tail)).toBe(true);
  expect(head.length + tail.length + Number(count)).toBe(line.length);
}
