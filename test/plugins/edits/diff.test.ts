import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diff } from "../../../plugins/edits/diff.ts";
import { editScript } from "../../../plugins/edits/edit-script.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`);

describe("diff()", () => {
  it("shows hunks with three lines around", () => {
    const before = numbers(30);
    const after = before.with(4, "five\n").toSpliced(20, 1);
    expect(diff(before.join(""), after.join(""))).toBe(
      [
        "@@ -2,7 +2,7 @@",
        " line 2",
        " line 3",
        " line 4",
        "-line 5",
        "+five",
        " line 6",
        " line 7",
        " line 8",
        "@@ -18,7 +18,6 @@",
        " line 18",
        " line 19",
        " line 20",
        "-line 21",
        " line 22",
        " line 23",
        " line 24",
      ].join("\n"),
    );
  });

  it("finds the first and the last difference, however much is the same around", () => {
    for (const count of [0, 1, 2_047, 2_048, 2_049, 5_000]) {
      const same = "a\n".repeat(count);
      const hunk = diff(`${same}b\nc\n${same}`, `${same}b\nd\n${same}`);
      const around = Array(Math.min(count, 3)).fill(" a");
      expect(hunk.split("\n").slice(1)).toEqual([...around.slice(0, 2), " b", "-c", "+d", ...around]);
      expect(hunk).toContain(`@@ -${Math.max(count - 1, 1)},`);
    }
  });

  it("tells of a last line without an end", () => {
    expect(diff("a\nb", "a\nb\n")).toBe("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b");
    expect(diff("", "a\n")).toBe("@@ -0,0 +1 @@\n+a");
    expect(diff("a\n", "")).toBe("@@ -1 +0,0 @@\n-a");
    expect(diff("\na", "\nb")).toContain("-a");
    expect(diff("a", "a")).toBe("");
  });

  it("is what patch makes the new text of", () => {
    const folder = mkdtempSync(join(tmpdir(), "mortise-test-"));
    const lines = fc.array(fc.constantFrom("a", "b", "c", "", "  d"), { maxLength: 25 });
    const end = fc.constantFrom("", "\n");
    fc.assert(
      fc.property(lines, lines, end, end, (before, after, endBefore, endAfter) => {
        const [old, fresh] = [before.join("\n") + endBefore, after.join("\n") + endAfter];
        const hunks = diff(old, fresh);
        if (hunks === "") {
          expect(old).toBe(fresh);
          return;
        }
        writeFileSync(join(folder, "file"), old);
        execFileSync("git", ["apply", "--unidiff-zero", "--whitespace=nowarn", "-"], {
          cwd: folder,
          input: `--- a/file\n+++ b/file\n${hunks}\n`,
          env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
        });
        expect(readFileSync(join(folder, "file"), "utf8")).toBe(fresh);
      }),
      { numRuns: 60 },
    );
    rmSync(folder, { recursive: true });
  }, 60_000);

  it("shows the first changes of many, cut lines, and pictures of control characters", () => {
    const before = numbers(20_000);
    const after = before.map((line, i) => (i % 10 === 5 ? "x\n" : line));
    const shown = diff(before.join(""), after.join(""));
    expect(shown.split("\n")).toHaveLength(81);
    expect(shown.endsWith("\n[more changes are not shown]")).toBe(true);
    expect(diff("a\n", `${"y".repeat(1_000)}\u001b[2K\n`)).toBe(`@@ -1 +1 @@\n-a\n+${"y".repeat(240)}...`);
    expect(diff("a\n", "\u001b[2K\rb\n")).toBe("@@ -1 +1 @@\n-a\n+\u241b[2K\u240db");
  });

  it("ends soon, however long and different the texts are", () => {
    const started = performance.now();
    const [before, after] = ["a\n".repeat(2_000_000), Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join("")];
    expect(diff(before, after).length).toBeLessThan(30_000);
    expect(diff(after, numbers(300_000).reverse().join("")).length).toBeLessThan(30_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("editScript()", () => {
  it("makes one of the other, with the fewest changes", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const { changes, isWhole } = editScript(before, after);
        expect(isWhole).toBe(true);
        expect(changes.filter(({ kind }) => kind !== "+").map(({ line }) => line)).toEqual(before);
        expect(changes.filter(({ kind }) => kind !== "-").map(({ line }) => line)).toEqual(after);
        expect(changes.filter(({ kind }) => kind !== " ")).toHaveLength(before.length + after.length - 2 * longestCommon(before, after));
      }),
    );
  });

  it("goes as far as it may where more differs", () => {
    const { changes, isWhole } = editScript(["same", ...Array(500).fill("a")], ["same", ...Array(500).fill("b")]);
    expect(isWhole).toBe(false);
    expect(changes[0]).toEqual({ kind: " ", line: "same" });
    expect(changes).toHaveLength(201);
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [j, other] of b.entries()) next.push(line === other ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    row = next;
  }
  return row.at(-1)!;
}
