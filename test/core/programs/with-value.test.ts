import { describe, expect, it } from "vitest";
import { withValue } from "../../../core/programs/with-value.ts";

/** As the compiler prints it. */
const wrapped = (...lines: string[]) => ["(async () => {", ...lines.map((line) => `  ${line}`), "});", ""].join("\n");
const check = async (script: string) => void new Function(script);
const made = async (...lines: string[]) => {
  const { script, line } = await withValue(wrapped(...lines), check);
  return { lines: script.trimEnd().split("\n").slice(1, -1), line };
};

describe("withValue()", () => {
  it("gives the expression at the end back, and says in which line", async () => {
    expect(await made("const a = 1;", "a + 1;")).toEqual({ lines: ["  const a = 1;", "  return (a + 1);"], line: 3 });
    expect(await made("f({", "  a: 1", "});")).toEqual({ lines: ["  return (f({", "    a: 1", "  }));"], line: 2 });
  });

  it("leaves what does not end with one", async () => {
    for (const lines of [
      ["const a = 1;"],
      ["return 1;"],
      ["throw a;"],
      ["if (a) {", "  b;", "}"],
      ["function f() {", "}"],
      ["for (const a of b) c(a);"],
      [],
    ]) {
      expect((await made(...lines)).line, lines.join("\n")).toBeUndefined();
    }
  });

  it("takes no text of several lines for statements", async () => {
    expect(await made("const a = `", "f();", "b;", "`;")).toEqual({ lines: ["  const a = `", "  f();", "  b;", "  `;"], line: undefined });
  });
});
