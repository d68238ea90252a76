import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit } from "../../../plugins/edits/apply-edit.ts";

const edit = (text: string, old_string: string, new_string: string, replace_all = false) => applyEdit(text, { old_string, new_string, replace_all });
const text = (applied: ReturnType<typeof applyEdit>) => (applied.ok ? applied.text : applied.problem);

describe("applyEdit()", () => {
  it("keeps CRLF, whatever line ends the edit has", () => {
    expect(text(edit("a\r\nb\r\nc\r\n", "b\nc", "x\ny\nz"))).toBe("a\r\nx\r\ny\r\nz\r\n");
    expect(text(edit("a\r\nb\r\n", "a\r\nb", "x\r\ny"))).toBe("x\r\ny\r\n");
    expect(text(edit("a\nb\n", "a\r\nb", "x\r\ny"))).toBe("x\ny\n");
    expect(text(edit("a\r\nb", "b", "b\nc"))).toBe("a\r\nb\r\nc");
    expect(text(edit("a\r\nb", "a", "x\na"))).toBe("x\r\na\r\nb");
  });

  it("gives new lines the line ends around them where a file has both", () => {
    const mixed = "a\r\nb\r\nc\nd\n";
    expect(text(edit(mixed, "b", "b\nB"))).toBe("a\r\nb\r\nB\r\nc\nd\n");
    expect(text(edit(mixed, "d", "d\nD"))).toBe("a\r\nb\r\nc\nd\nD\n");
    expect(text(edit(mixed, "a\nb\nc\nd", "a\nd"))).toBe("a\r\nd\n");
  });

  it("leaves the line ends of lines alone that are in the edit and stay, where a file has both", () => {
    const mixed = "a\nb\r\nc\nd\r\n";
    expect(text(edit(mixed, "a\nb\nc\nd\n", "a\nb\nc\nD\n"))).toBe("a\nb\r\nc\nD\r\n");
    expect(text(edit(mixed, "a\nb\nc\nd", "A\nb\nnew\nc\nD"))).toBe("A\nb\r\nnew\r\nc\nD\r\n");
    expect(text(edit(mixed, "b\nc", "c"))).toBe("a\nc\nd\r\n");
    const end = (index: number) => (index % 3 === 0 ? "\r\n" : "\n");
    const lines = (write: (index: number) => string) => Array.from({ length: 900 }, (_, index) => write(index)).join("");
    const long = lines((index) => `${index}${end(index)}`);
    const edited = edit(
      long,
      lines((index) => `${index}\n`),
      lines((index) => `${index === 7 || index === 800 ? "x" : index}\n`),
    );
    expect(text(edited)).toBe(lines((index) => `${index === 7 || index === 800 ? "x" : index}${end(index)}`));
    // Too much to be compared: the whole is replaced, and nothing is lost.
    const other = edit(
      long,
      lines((index) => `${index}\n`),
      lines((index) => `x${index}\n`),
    );
    expect(text(other).replaceAll("\r\n", "\n")).toBe(lines((index) => `x${index}\n`));
  });

  it("takes little time for many places in a long line", () => {
    const started = performance.now();
    expect(text(edit(`${"a".repeat(90_000)}${"b".repeat(4_000_000)}\r\n`, "a", "\n", true))).toHaveLength(4_180_002);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("leaves what it does not replace as it was, and can be taken back", () => {
    const line = fc.constantFrom("a", "b ", " c", "d\re", "");
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(line), fc.constantFrom("\n", "\r\n"), (before, after, end) => {
        const original = [...before, "HERE", ...after].join(end);
        const applied = edit(original, "HERE", "THERE\nAND");
        expect(text(applied)).toBe([...before, `THERE${end}AND`, ...after].join(end));
        expect(text(edit(text(applied), "THERE\nAND", "HERE"))).toBe(original);
      }),
    );
  });

  it("keeps a byte order mark, and takes one in the edit for none", () => {
    expect(text(edit("\ufeffa\nb", "a", "x"))).toBe("\ufeffx\nb");
    expect(text(edit("\ufeffa\nb", "\ufeffa", "\ufeffx"))).toBe("\ufeffx\nb");
  });

  it("names the lines it replaced", () => {
    expect(edit("a\nb\na\n", "a", "x", true)).toMatchObject({ ok: true, text: "x\nb\nx\n", lines: [1, 3], how: "exact" });
  });

  it("says where the text is several times", () => {
    expect(text(edit("a\nb\na\n", "a", "x"))).toContain("several times, at lines 1, 3. Add lines");
    expect(text(edit("a\n".repeat(50), "a", "x"))).toContain("lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more.");
    expect(text(edit("aaa", "aa", "x"))).toContain("at lines 1, 1.");
  });

  it("says what is nearly there", () => {
    const file = "function a() {\n  one();\n  two();\n}\n";
    expect(text(edit(file, "function a() {\n  one();\n  three();\n}", "x"))).toBe(
      'old_string is not in the file. Closest to it are the lines from 1 on: line 3 is "two();", and old_string has "three();" there. Read these lines, and copy the text.',
    );
    expect(text(edit(file, "  two();\n}\nmore();", "x"))).toContain("the file ends before that line");
    expect(text(edit(file, "before();\nfunction a() {", "x"))).toContain("the file begins after that line");
    expect(text(edit("  abc\n    def\n", "abc\ndef", "x"))).toContain("The lines from 1 on differ from it in blanks alone.");
    expect(text(edit(file, "nothing of it", "x"))).toBe("old_string is not in the file. Read the file, and copy the text from it.");
  });

  it("never loops on an empty text, and refuses what would change nothing", () => {
    expect(edit("abc", "", "x", true)).toMatchObject({ ok: false, problem: expect.stringContaining("old_string is empty") });
    expect(edit("abc", "\ufeff", "x", true)).toMatchObject({ ok: false });
    expect(edit("abc", "a", "a")).toMatchObject({ ok: false, problem: expect.stringContaining("the same") });
    expect(edit("a\r\n", "a\r\n", "a\n")).toMatchObject({ ok: false });
    expect(edit("  a", "a ", "a")).toMatchObject({ ok: false, problem: expect.stringContaining("changes nothing") });
  });

  it("refuses halves of characters, and what would grow without end", () => {
    expect(edit("abc", "a", "\ud83d")).toMatchObject({ ok: false, problem: expect.stringContaining("half of a character") });
    for (const half of ["\ud83d", "\ude00"]) {
      expect(edit("\u{1f600}", half, "x")).toMatchObject({ ok: false, problem: expect.stringContaining("old_string has half of a character") });
    }
    expect(edit("a".repeat(90_000), "a", "b".repeat(1_000), true)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("90000000 characters"),
    });
    expect(edit("a".repeat(200_000), "a", "b", true)).toMatchObject({ ok: false, problem: expect.stringContaining("more than 100000 times") });
  });
});
