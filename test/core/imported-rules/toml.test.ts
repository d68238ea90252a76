import { describe, expect, it } from "vitest";
import { parseToml } from "../../../core/imported-rules/toml.ts";

const parse = (text: string) => parseToml({ path: "a.toml", text }).value;

describe("parseToml()", () => {
  const rows: [toml: string, value: object][] = [
    ["a = \"x\"\nb = 'C:\\x'\nc = true\nd = false", { a: "x", b: "C:\\x", c: true, d: false }],
    ["a = 1\nb = -1_000\nc = 1.5e3\nd = 0xff\ne = +inf", { a: 1, b: -1000, c: 1500, d: 255, e: Number.POSITIVE_INFINITY }],
    ["a = 2026-11-30\nb = 2026-11-30T10:00:00Z\nc = 2026-11-30 10:00:00", { a: "2026-11-30", b: "2026-11-30T10:00:00Z", c: "2026-11-30 10:00:00" }],
    ['a = "tab\\t quote\\" \\u00e9 \\U0001F600"', { a: 'tab\t quote" é 😀' }],
    ["a = \"\"\"\none\ntwo \\\n   three\"\"\"\nb = '''\n\\n'''", { a: "one\ntwo three", b: "\\n" }],
    ['a = ""\nb = \'\'\nc = """"x""""', { a: "", b: "", c: '"x"' }],
    ["a = [1, 2,\n  3, # three\n]\nb = []", { a: [1, 2, 3], b: [] }],
    ["a = { b = 1, c.d = [ { e = 2 } ] }", { a: { b: 1, c: { d: [{ e: 2 }] } } }],
    ["a.b.c = 1\na.b.d = 2", { a: { b: { c: 1, d: 2 } } }],
    ['[a."b c"]\nd = 1\n[a]\ne = 2', { a: { "b c": { d: 1 }, e: 2 } }],
    ["[[r]]\na = 1\n[[r]]\na = 2\n[r.s]\nb = 3", { r: [{ a: 1 }, { a: 2, s: { b: 3 } }] }],
    ["# only a comment\r\n\r\na = 1 # one\r\n", { a: 1 }],
    ["\ufeffa = 1", { a: 1 }],
    ["", {}],
  ];
  it.each(rows)("reads %j", (toml, value) => expect(parse(toml)).toEqual(value));

  it.each([
    ["a", 1, 2],
    ["a = ", 1, 5],
    ["a = 1 2", 1, 6],
    ['a = "x', 1, 5],
    ['a = "x\ny"', 1, 5],
    ["a = [1 2]", 1, 8],
    ["a = [1", 1, 7],
    ["a = 1\na = 2", 2, 2],
    ["[a]\n[a]", 2, 4],
    ["a = 1\n[a.b]", 2, 6],
    ["a = { b = 1 }\n[a.c]", 2, 6],
    ["a = [1]\n[[a.b]]", 2, 8],
    ["a = nothing", 1, 5],
    ["[a", 1, 3],
    ['a = "\\q"', 1, 9],
  ])("refuses %j with its place", (toml, line, column) => {
    expect(() => parse(toml)).toThrow(expect.objectContaining({ code: "file_broken", seen: expect.stringContaining(`a.toml:${line}:${column}`) }));
  });

  it("says where tables stand", () => {
    const { value, lineOf } = parseToml({ path: "a.toml", text: "# x\n\n[[rule]]\na = 1\n\n[[rule]]\na = 2\n" });
    const rules = value.rule as object[];
    expect(rules.map(lineOf)).toEqual([3, 6]);
  });

  it("takes no key for something of an object's own", () => {
    expect(Object.getPrototypeOf(parse("[__proto__]\na = 1"))).toBe(Object.prototype);
    expect(parse("toString = 1")).toEqual({ toString: 1 });
  });
});
