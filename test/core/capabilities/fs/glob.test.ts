import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { createGlob, splitGlob } from "../../../../core/capabilities/fs/glob.ts";

const paths = [
  "a",
  "b",
  "ab",
  "abc",
  "a.ts",
  "a.test.ts",
  ".a",
  "a/b",
  "a/b/c",
  "a/.b/c.ts",
  "src/a.ts",
  "src/deep/a.ts",
  "src/deep/b.tsx",
  "a-b",
  "[a]",
  "{a}",
  "x/y/z/w",
];
const patterns = [
  "*",
  "**",
  "a",
  "a*",
  "*b",
  "a*c",
  "?",
  "??",
  "*.ts",
  "**/*.ts",
  "src/**",
  "src/**/*.ts",
  "src/*/*.ts",
  "**/deep/**",
  "{a,b}",
  "*.{ts,tsx}",
  "src/**/*.{ts,tsx}",
  "[ab]",
  "[a-c]*",
  "a/**/c",
  "a/**/**/c",
  "**/c",
  "x/**/w",
  "{src,a}/**",
  "{a,{b,ab}}",
  "*a*",
  "a?",
];

describe("createGlob()", () => {
  it.each(patterns)("matches %s as others do", (pattern) => {
    const known = picomatch(pattern, { dot: true, nonegate: true });
    // Another reading of it: that a folder's own name is matched by what is below it.
    const same = paths.filter((path) => !(pattern.endsWith("/**") && pattern.slice(0, -3) === path));
    expect(same.filter(createGlob(pattern))).toEqual(same.filter((path) => known(path)));
  });

  it("knows sets of characters", () => {
    for (const [pattern, fitting, other] of [
      ["[!a]", "b", "a"],
      ["[^a]", "b", "a"],
      ["[a-c]", "b", "d"],
      ["[a-]", "-", "b"],
      ["[]]", "]", "a"],
      ["[😀]", "😀", "a"],
    ]) {
      expect([pattern, createGlob(pattern!)(fitting!), createGlob(pattern!)(other!)]).toEqual([pattern, true, false]);
    }
  });

  it("takes what does not close for plain text", () => {
    for (const text of ["[a", "{a", "a}", "{a}", "a,b", "!a", "(a|b)"]) {
      expect(createGlob(text)(text)).toBe(true);
      expect(createGlob(text)("a")).toBe(false);
    }
  });

  it("never lets * or ? cross a folder", () => {
    expect(createGlob("a*b")("a/b")).toBe(false);
    expect(createGlob("a?b")("a/b")).toBe(false);
    expect(createGlob("a[!x]b")("a/b")).toBe(false);
  });

  it("refuses more alternatives than it can hold", () => {
    expect(() => createGlob("{a,b}".repeat(9))).toThrow(expect.objectContaining({ code: "wrong_argument" }));
  });
});

describe("splitGlob()", () => {
  it("parts plain folders from the rest", () => {
    expect(splitGlob("src/deep/*.ts")).toEqual({ folder: "src/deep", glob: "*.ts" });
    expect(splitGlob("**")).toEqual({ folder: "", glob: "**" });
    expect(splitGlob("/**")).toEqual({ folder: "/", glob: "**" });
    expect(splitGlob("/etc/*")).toEqual({ folder: "/etc", glob: "*" });
    expect(splitGlob("src/a.ts")).toEqual({ folder: "src/a.ts", glob: "" });
  });
});
