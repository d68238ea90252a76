import { describe, expect, it } from "vitest";
import { goals } from "./goals.ts";
import type { Results } from "./rounds.ts";
import { printed, sections } from "./table.ts";

const us = (value: number) => ({ unit: "us" as const, rounds: [[value], [value], [value]] });

describe("goals()", () => {
  it("measures a layer as a call with it minus the call without", () => {
    const results: Results = new Map([
      ["0 layers, 100 B", us(100)],
      ["1 layers, 100 B", us(400)],
      ["5 layers, 100 B", us(1_000)],
      ["node hook", us(30_000)],
      ["sh -c true", us(600)],
    ]);
    expect(goals(results).map(({ name, measured, met }) => [name, measured.median, met])).toEqual([
      ["one layer, cheaper than a hook in Node", 100, true],
      ["one layer, cheaper than sh -c true", 2, false],
      ["five layers against one", 3, false],
    ]);
  });

  it("counts a rate from above", () => {
    expect(goals(new Map([["concurrent", us(50)]]))).toMatchObject([{ measured: { median: 20_000 }, met: true }]);
    expect(goals(new Map([["concurrent", us(200)]]))).toMatchObject([{ measured: { median: 5_000 }, met: false }]);
  });

  it("says nothing about what was not measured", () => {
    expect(goals(new Map())).toEqual([]);
  });
});

describe("printed()", () => {
  it("keeps within 100 columns and marks what was missed", () => {
    const results: Results = new Map([
      ["node -e 0", us(30_000)],
      ["mortise --version", us(60_000)],
      ["killed, spare", us(12_345_678)],
      ["killed, no spare", us(12_345_678)],
    ]);
    const text = printed(sections(results), goals(results));
    for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
    expect(text.split("\n").filter((line) => line.startsWith("MISSED"))).toHaveLength(3);
  });
});
