import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { canonicalPath } from "../../../core/capabilities/fs/canonical-path.ts";
import { createRealPaths, ignoresCase, lookedUpOnce } from "../../../core/permission/real-paths.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-real-")));
for (const folder of ["a/b", "c"]) mkdirSync(join(root, folder), { recursive: true });
writeFileSync(join(root, "a/file"), "");
symlinkSync("../c", join(root, "a/up"));
symlinkSync(join(root, "a/b"), join(root, "c/away"));
symlinkSync("nowhere/at/all", join(root, "dangling"));
symlinkSync("loop", join(root, "loop"));
symlinkSync("a/up/away", join(root, "chain"));
// Following every link of this one takes more steps than there is time for.
for (let at = 0; at < 30; at++) symlinkSync(at === 0 ? "." : `wide${at - 1}/wide${at - 1}`, join(root, `wide${at}`));
afterAll(() => rmSync(root, { recursive: true }));

describe("createRealPaths()", () => {
  const parts = ["a", "b", "c", "up", "away", "file", "dangling", "chain", "new", "..", ".", "", "loop"];
  it("answers as the slow way does, once and again", async () => {
    const real = createRealPaths();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 7 }), fc.boolean(), async (path, absolute) => {
        const text = absolute ? join(root, "/") + path.join("/") : path.join("/") || ".";
        const expected = await canonicalPath(text, join(root, "a")).catch(() => undefined);
        expect(real(text, join(root, "a"))).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });

  it("gives up on links that lead to links without end", () => {
    const real = createRealPaths();
    expect(real("loop/x", root)).toBeUndefined();
    expect(real("wide29", root)).toBeUndefined();
  });

  it("knows no path with a NUL, and takes a name that is too long for one that is not there", () => {
    const real = createRealPaths();
    expect(real("a\0b", root)).toBeUndefined();
    expect(real("x".repeat(5_000), root)).toBe(join(root, "x".repeat(5_000)));
    expect(real("x".repeat(70_000), root)).toBeUndefined();
  });

  it("tells whether something is there", () => {
    const real = createRealPaths();
    expect([real.exists(join(root, "a")), real.exists(join(root, "dangling")), real.exists(join(root, "none"))]).toEqual([true, true, false]);
  });
});

describe("ignoresCase()", () => {
  it("is told by another spelling of the folder", () => {
    expect(ignoresCase(root)).toBe(process.platform !== "linux" && process.platform !== "freebsd");
    expect(ignoresCase("/")).toBe(false);
    expect(ignoresCase(join(root, "none"))).toBe(false);
  });
});

describe("lookedUpOnce()", () => {
  it("keeps where folders lead for one turn of the event loop, and no longer", async () => {
    const home = join(root, "home");
    const looked = lookedUpOnce([home]);
    expect(looked().get(home)).toBe(home);
    symlinkSync("a/b", home);
    expect(looked().get(home)).toBe(home);
    await turn();
    expect(looked().get(home)).toBe(join(root, "a/b"));
    expect(createRealPaths(looked())(home, "/")).toBe(join(root, "a/b"));
  });
});
