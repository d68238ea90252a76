import { describe, expect, it } from "vitest";
import { parseStarlark } from "../../../core/imported-rules/starlark.ts";

const parse = (text: string) => parseStarlark({ path: "a.rules", text });

describe("parseStarlark()", () => {
  it("reads calls with plain arguments", () => {
    const text = `# what it is for
prefix_rule(
    pattern = ["git", ["push", "fetch"]],  # alternatives
    decision = "prompt",
    match = ["git push", ["git", "fetch"],],
    justification = """a
b""",
)
other(a = r"\\d", b = 'it\\'s', c = (1, -2), d = True, e = None)
`;
    expect(parse(text)).toMatchObject([
      {
        kind: "call",
        name: "prefix_rule",
        line: 2,
        args: { pattern: ["git", ["push", "fetch"]], decision: "prompt", match: ["git push", ["git", "fetch"]], justification: "a\nb" },
      },
      { kind: "call", name: "other", line: 9, args: { a: "\\d", b: "it's", c: [1, -2], d: true, e: null } },
    ]);
  });

  it("leaves other statements whole, with what is indented below", () => {
    const text = 'x = ["git"]\ndef f():\n    prefix_rule(pattern = ["rm"])\n\nfor y in x:\n    f()\nprefix_rule(pattern = ["ls"])\n';
    expect(parse(text).map(({ kind, line }) => `${kind} ${line}`)).toEqual(["other 1", "other 2", "other 5", "call 7"]);
  });

  it.each([
    ['f(a = "x)', 1],
    ["f(a = [1)", 1],
    ["\nf(a = b)", 2],
    ["f(1)", 1],
    ["f(a = 1", 1],
    ["f(a = 1, a = 2)", 1],
    ['f(a = "x" + "y")', 1],
  ])("refuses %j with its place", (text, line) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "file_broken", seen: expect.stringContaining(`a.rules:${line}:`) }));
  });
});
