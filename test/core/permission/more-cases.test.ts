import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BashCase, checkBashCases } from "../../../core/rule-cases/bash-cases.ts";

const cases = readFileSync(new URL("../../cases/more.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => BashCase.parse(JSON.parse(line)));

describe("more commands of the kinds that the bash cases have", () => {
  it("are judged as they say, each with the rules it names", { timeout: 120_000 }, async () => {
    const { misses, passed } = await checkBashCases(cases);
    expect(misses).toEqual([]);
    expect(passed).toBe(cases.length);
  });
});
