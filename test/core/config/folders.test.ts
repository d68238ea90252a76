import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectOf, userFolders } from "../../../core/config/folders.ts";
import { freshHome } from "./home.ts";

describe("userFolders()", () => {
  it("takes Mortise's own variables first, then the XDG ones, then the places under home", () => {
    const env = { HOME: "/home/ann", MORTISE_CONFIG_HOME: "/own", XDG_CONFIG_HOME: "/xdg", XDG_CACHE_HOME: "/xdg" };
    expect(userFolders(env)).toEqual({ config: "/own", cache: "/xdg/mortise", state: "/home/ann/.local/state/mortise" });
  });

  it("does not take a relative folder, which would follow whoever starts Mortise", () => {
    expect(userFolders({ HOME: "/home/ann", MORTISE_CONFIG_HOME: "here", XDG_CONFIG_HOME: "there" }).config).toBe("/home/ann/.config/mortise");
  });
});

describe("projectOf()", () => {
  it("finds the nearest folder with .mortise, above a git root too", async () => {
    const { root } = await freshHome();
    mkdirSync(join(root, ".mortise"));
    mkdirSync(join(root, "inner/.git"), { recursive: true });
    expect(await projectOf(join(root, "inner"))).toEqual({ root, folder: join(root, ".mortise") });
  });

  it("takes the git root where no .mortise is, and the folder itself where neither is", async () => {
    const { root } = await freshHome();
    mkdirSync(join(root, "a/b"), { recursive: true });
    expect((await projectOf(join(root, "a/b"))).root).toBe(root);
    mkdirSync(join(root, "../alone"));
    expect((await projectOf(join(root, "../alone"))).root).toBe(join(root, "../alone"));
  });

  it("never takes a home for a project, and searches no further than below it", async () => {
    const { root } = await freshHome();
    mkdirSync(join(root, ".mortise"));
    mkdirSync(join(root, "work"));
    expect(await projectOf(root, { HOME: root })).toEqual({ root, folder: null });
    expect((await projectOf(join(root, "work"), { HOME: root })).root).toBe(join(root, "work"));
  });

  it("follows links first, so one project has one root", async () => {
    const { root } = await freshHome();
    symlinkSync(root, join(root, "../link"));
    expect((await projectOf(join(root, "../link"))).root).toBe(root);
  });
});
