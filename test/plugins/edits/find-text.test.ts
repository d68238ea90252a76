import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLines } from "../../../plugins/edits/find-lines.ts";
import { findText, type How } from "../../../plugins/edits/find-text.ts";

/** How the text is found, and what becomes of it; undefined where it is not. */
function replaced(text: string, old: string, fresh: string, all = false): [How, string] | undefined {
  const found = findText(text, { old, fresh }, { all, most: 100 });
  if (found === undefined) return undefined;
  let made = "";
  let done = 0;
  for (const { from, to, replacement } of found.places) {
    made += text.slice(done, from) + replacement;
    done = to;
  }
  return [found.how, made + text.slice(done)];
}

describe("findText()", () => {
  it("takes an exact match before any other", () => {
    expect(replaced("  a\na\n", "  a", "b")).toEqual(["exact", "b\na\n"]);
    expect(replaced("xay", "a", "b")).toEqual(["exact", "xby"]);
  });

  it("passes over blanks at line ends", () => {
    expect(replaced("a  \nb\t\nc", "a\nb", "x\ny")).toEqual(["blanks at line ends", "x\ny\nc"]);
  });

  it("indents the new text as the file is", () => {
    expect(replaced("{\n    if (a) {\n        b();\n    }\n}", "if (a) {\n    b();\n}", "if (a) {\n    b();\n    c();\n}")).toEqual([
      "indentation",
      "{\n    if (a) {\n        b();\n        c();\n    }\n}",
    ]);
    expect(replaced("if x:\n\ta\n\t\tb\n", "    a\n        b\n", "    a\n        c\n\n    d\n")).toEqual([
      "indentation",
      "if x:\n\ta\n\t\tc\n\n\td\n",
    ]);
    expect(replaced("a\n  b\n", "  a\n    b", "  a\n    c")).toEqual(["indentation", "a\n  c\n"]);
  });

  it("finds nothing where nobody knows how the new text is to be indented", () => {
    expect(replaced("  a\n    b\n", "a\nb", "c\nd")).toBeUndefined();
    expect(replaced("  a\n    b\nc", "a\nb\n", "")).toEqual(["indentation", "c"]);
  });

  it("passes over blanks in lines", () => {
    expect(replaced("x  =   1;\ny = 2", "x = 1;", "x = 3;")).toEqual(["blanks", "x = 3;\ny = 2"]);
  });

  it("passes over blank lines around, in both texts", () => {
    expect(replaced("a\nb\nc", "\n\nb\n\n", "\nd\n\n")).toEqual(["blanks at line ends", "a\nd\nc"]);
    expect(replaced("a\nb\nc", "\nb", "d")).toEqual(["exact", "ad\nc"]);
  });

  it("takes off line numbers that follow each other", () => {
    expect(replaced("a\nb\nc", "7: b\n8: c", "7: x")).toEqual(["line numbers", "a\nx"]);
    expect(replaced("a\nb\nc", "7: b\n9: c", "x")).toBeUndefined();
  });

  it("takes off a level of escapes, in both texts", () => {
    expect(replaced('a\n\t"b"\n', 'a\\n\\t\\"b\\"', "c\\nd")).toEqual(["escapes", "c\nd\n"]);
  });

  it("keeps the end of the last line, there or not", () => {
    expect(replaced("  a\n  b", "a\nb\n", "a\nc\n")).toEqual(["indentation", "  a\n  c"]);
    expect(replaced("  a\n  b\n", "b\n", "c\n")).toEqual(["exact", "  a\n  c\n"]);
    expect(replaced("  a\n   b \n  c\n", "	b\n", "")).toEqual(["indentation", "  a\n  c\n"]);
  });

  it("finds nothing that only resembles what is asked for", () => {
    const text = "function a() {\n  one();\n  two();\n}\n";
    for (const old of [
      "function a() {\n  three();\n  four();\n}",
      "function a() {\n  one();\n  twoo();\n}",
      "function a() {\n  one();\n}",
      "tw o();",
      " \n ",
      "\t",
    ]) {
      expect([old, replaced(text, old, "x")]).toEqual([old, undefined]);
    }
    // A part of a line is found as it is written, or not at all.
    expect(replaced("voids\n", " id ", "x")).toBeUndefined();
  });

  it("tells of several, and replaces all of them apart", () => {
    expect(findText("aaa", { old: "aa", fresh: "b" }, { all: false, most: 9 })?.places).toHaveLength(2);
    expect(replaced("aaa", "aa", "b", true)).toEqual(["exact", "ba"]);
    expect(findText(" a\n  a\na", { old: "a ", fresh: "b" }, { all: false, most: 9 })?.places).toHaveLength(1);
    expect(replaced("x a\n\ta \n  a", "   a", "b", true)).toEqual(["indentation", "x a\nb\nb"]);
  });

  it("ends soon on texts made to take long", () => {
    const started = performance.now();
    const lines = "a\n".repeat(500_000);
    expect(replaced(lines, `${" a\n".repeat(100_000)}b`, "x")).toBeUndefined();
    expect(replaced("b".repeat(1_000_000), `${"b".repeat(10_000)}a`, "x")).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("searches long texts exactly alone", () => {
    expect(replaced(`  a\n${"x\n".repeat(600_000)}`, "a \n", "b")).toBeUndefined();
    expect(replaced(`${"x\n".repeat(600_000)}  a\n`, "  a\n", "b")?.[0]).toBe("exact");
  });
});

describe("findLines()", () => {
  it("finds what looking at each place finds", () => {
    const letters = fc.array(fc.constantFrom("a", "b"), { maxLength: 30 });
    fc.assert(
      fc.property(letters, fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 4 }), (lines, wanted) => {
        const plain = lines.flatMap((_, at) => (wanted.every((line, i) => lines[at + i] === line) ? [at] : []));
        const search = { key: (line: string) => line, most: 1_000 };
        expect(findLines(lines, wanted, search).map(({ line }) => line)).toEqual(plain);
        // Of many lines alike, the same by another way.
        const many = Array(20).fill(lines).flat();
        const all = many.flatMap((_, at) => (wanted.every((line, i) => many[at + i] === line) ? [at] : []));
        expect(findLines(many, wanted, search).map(({ line }) => line)).toEqual(all);
      }),
    );
    expect(findLines(["a", ""], ["", " "], { key: (line) => line.trim(), most: 9 })).toEqual([]);
  });
});
