import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, type Scratch, scratch } from "../run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

const line = (id: string, command: string, expectations: object) => `${JSON.stringify({ id, command, expect: expectations, topic: "A" })}\n`;
const good = line("A1", "ls; rm x", { segments: ["ls", "rm x"], must_be_denied_by: ["rm *"] });
const bad = line("A2", "ls", { should_be_allowed_by: ["wc *"] });

describe("rules check-cases", () => {
  it("prints each miss, counts per field and, last, how many cases passed and failed", async () => {
    await here.write("project/cases.jsonl", `${good}\n${bad}`);
    const { code, stdout, stderr } = await here.run(["rules", "check-cases", "cases.jsonl"]);
    const lines = stdout.trimEnd().split("\n");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(lines[0]).toMatch(/^A2 should_be_allowed_by: ls /);
    expect(stdout).toMatch(/^segments +1 of 1$/m);
    expect(stdout).toMatch(/^should_be_allowed_by +0 of 1$/m);
    expect(lines.at(-1)).toBe("1 passed, 1 failed");
  });

  it("exits with 0 where all holds, over several files", async () => {
    await here.write("project/a.jsonl", good);
    await here.write("project/b.jsonl", `\ufeff${good.replace("\n", "\r\n")}`);
    const { code, stdout } = await here.run(["rules", "check-cases", "a.jsonl", "b.jsonl"]);
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({ code: 0, last: "2 passed, 0 failed" });
  });

  it("prints one object in JSON mode", async () => {
    await here.write("project/cases.jsonl", bad);
    const { code, stdout } = await here.run(["rules", "check-cases", "cases.jsonl", "--json"]);
    expect(code).toBe(1);
    expect(jsonOf(stdout)).toMatchObject({ passed: 0, failed: 1, misses: [{ id: "A2", field: "should_be_allowed_by", command: "ls" }] });
  });

  it("says which expectations it does not check", async () => {
    await here.write("project/cases.jsonl", line("A1", "ls", { must_be_denied: ["ls *"] }));
    const { stderr } = await here.run(["rules", "check-cases", "cases.jsonl"]);
    expect(stderr).toContain("must_be_denied");
  });

  it.each<[string, string, RegExp]>([
    ["no JSON", `${good}{"id":\n`, /cases\.jsonl:2:/],
    ["a wrong type", `${good}${JSON.stringify({ id: "A2", command: 1, expect: {} })}`, /cases\.jsonl:2:\d+.*string/],
    ["a missing field", '{"id":"A1","command":"ls"}', /cases\.jsonl:1:\d+.*expect/],
    ["a key that stands twice", '{"id":"A1","command":"ls","command":"rm","expect":{}}', /cases\.jsonl:1:\d+.*twice/],
  ])("refuses a file with %s, naming the place", async (_name, text, place) => {
    await here.write("project/cases.jsonl", text);
    const { code, stdout, stderr } = await here.run(["rules", "check-cases", "cases.jsonl", "--json"]);
    expect(code).toBe(2);
    expect(jsonOf(stdout).error?.code).toBe("file_broken");
    expect(stderr).toMatch(place);
  });

  it("refuses what is no file", async () => {
    expect((await here.run(["rules", "check-cases", "nowhere.jsonl"])).code).toBe(2);
    expect((await here.run(["rules", "check-cases", "."])).code).toBe(2);
    expect((await here.run(["rules", "check-cases"])).code).toBe(2);
  });
});
