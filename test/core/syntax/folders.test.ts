import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { foldersNamed, hasPlainNames } from "../../../core/syntax/folders.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-folders-")));
for (const folder of ["p/a/b", "p/c d", "home/x"]) mkdirSync(join(root, folder), { recursive: true });
writeFileSync(join(root, "p/file"), "");
symlinkSync("a", join(root, "p/link"));
afterAll(() => rmSync(root, { recursive: true }));

describe("foldersNamed()", () => {
  const rows: [text: string, ...folders: string[]][] = [
    ["ls a"],
    ["cd a && ls", "p/a"],
    ["cd a; cd b; cd ..", "p/a", "p", "p/a/b", ""],
    ["cd \"a\" && pushd 'c d'", "p/a", "p/c d"],
    ["cd missing; cd file; cd a/missing"],
    ["cd link/..", "p"],
    ["cd ~/x; cd $HOME; cd ${HOME}/x", "home/x", "home"],
    ["cd $PWD/a", "p/a"],
    ["cd $x; cd a*; cd `y`; cd $(z)"],
    ["cd -- a", "p/a"],
  ];
  it.each(rows)("finds in %j what is there", (text, ...folders) => {
    expect(foldersNamed(text, join(root, "p"), join(root, "home")).sort()).toEqual(folders.map((folder) => join(root, folder)).sort());
  });

  it("looks at so many and no more", () => {
    expect(foldersNamed("cd a; ".repeat(10_000), join(root, "p"), "/")).toEqual([join(root, "p/a")]);
    const many = Array.from({ length: 1_000 }, (_, at) => `cd ../n${at}`).join("; ");
    expect(foldersNamed(many, join(root, "p"), "/")).toEqual([]);
  });
});

describe("hasPlainNames()", () => {
  it("is true of a folder where no name could be taken for an option", () => {
    expect(hasPlainNames(join(root, "p"))).toBe(true);
    mkdirSync(join(root, "p/a/-o x"));
    expect(hasPlainNames(join(root, "p/a"))).toBe(false);
    rmSync(join(root, "p/a/-o x"), { recursive: true });
  });

  it("is false of what cannot be listed", () => {
    expect(hasPlainNames(join(root, "missing"))).toBe(false);
    expect(hasPlainNames(join(root, "p/file"))).toBe(false);
  });
});
