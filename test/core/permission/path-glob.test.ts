import { describe, expect, it } from "vitest";
import { isPathGlob, pathGlob } from "../../../core/permission/path-glob.ts";

describe("isPathGlob()", () => {
  it.each(["**/.env", "**/*.pem", "*.rs", "src/**/*.ts", "a/*/b", "**/x/**", "/**/.env.*", "~/x/*.key"])("is so of %s", (text) =>
    expect(isPathGlob(text)).toBe(true),
  );
  it.each([
    "*",
    "**",
    "src/**",
    "src/*",
    "src/ma*",
    "git *",
    "git * --force",
    "git push*",
    "npm run build:*",
    "* --version",
    "https://*.h.com/*",
    "a.txt",
    "",
  ])("is not so of %s", (text) => expect(isPathGlob(text)).toBe(false));
});

describe("pathGlob()", () => {
  const fits = (text: string, path: string) =>
    pathGlob(
      text,
      (before) => (before.startsWith("/") ? before : before === "." ? "/p" : `/p/${before}`),
      (each) => each,
    )?.fits(path);
  it.each([
    ["**/.env", "/p/.env", true],
    ["**/.env", "/p/a/b/.env", true],
    ["**/.env", "/p/.envrc", false],
    ["**/.env.*", "/p/a/.env.local", true],
    ["**/*.pem", "/p/a/x.pem", true],
    ["*.rs", "/p/a.rs", true],
    ["*.rs", "/p/src/a.rs", false],
    ["src/**/*.ts", "/p/src/a.ts", true],
    ["src/**/*.ts", "/p/src/x/y/a.ts", true],
    ["src/**/*.ts", "/p/srcx/a.ts", false],
    ["/**/.ssh/**", "/home/a/.ssh/config", true],
    ["/**/.ssh/**", "/home/a/.ssh", true],
    ["a/*/b", "/p/a/x/b", true],
    ["a/*/b", "/p/a/x/y/b", false],
  ])("%s on %s: %s", (text, path, expected) => expect(fits(text, path)).toBe(expected));

  it("ends soon, whatever the pattern", () => {
    expect(fits(`**/${"*a".repeat(2_000)}b`, `/p/${"a".repeat(4_000)}`)).toBe(false);
  });

  it("is nothing where its folder cannot be resolved or it has too many alternatives", () => {
    expect(
      pathGlob(
        "x/**/y",
        () => undefined,
        (each) => each,
      ),
    ).toBeUndefined();
    expect(
      pathGlob(
        `**/${"{a,b}".repeat(20)}`,
        () => "/p",
        (each) => each,
      ),
    ).toBeUndefined();
  });
});
