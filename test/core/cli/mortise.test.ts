import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entry, findPrograms, type Scratch, scratch } from "./run-cli.ts";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
const check = new URL("../../../core/node-version.mjs", import.meta.url).href;

let here: Scratch;
beforeAll(async () => {
  here = await scratch();
});
afterAll(() => here.remove());

describe("mortise", () => {
  it("says its version and nothing else", async () => {
    const { code, stdout, stderr } = await here.run(["--version"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("says its version without loading anything more", () => {
    const loaded = execFileSync(process.execPath, ["--import", reportLoaded, entry, "--version"], { encoding: "utf8" });
    const files = loaded.split("\n").filter((line) => line.startsWith("loaded "));
    expect(files.map((line) => line.replace(/^.*\//, ""))).toEqual(["mortise.mjs", "node-version.mjs"]);
  });

  it("prints its help where no command is given", async () => {
    const [alone, help] = [await here.run([]), await here.run(["--help"])];
    expect(alone.code).toBe(0);
    expect(alone.stdout).toBe(help.stdout);
    expect(alone.stdout).toContain("Examples:");
    expect(alone.stderr).toBe("");
  });

  it("runs from its sources where that is asked for", async () => {
    const [built, source] = [await here.run(["--help"]), await here.run(["--help"], { env: { MORTISE_SOURCE: "1" } })];
    expect(source).toEqual(built);
  });

  it.each([
    "call",
    "slots",
    "tools",
    "plugins",
    "plugins enable",
    "plugins disable",
    "grant",
    "grant list",
    "grant revoke",
    "trust",
    "trust add",
    "trust remove",
    "trust list",
    "doctor",
    "trace",
    "logs",
  ])("teaches %s with examples", async (command) => {
    const { code, stdout } = await here.run([...command.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`\\$ mortise ${command}`));
  });

  it("needs Node 24, says so, and exits with 2", () => {
    const fake = `Object.defineProperty(process.versions, "node", { value: "20.1.0" }); await import(${JSON.stringify(check)}); console.log("went on")`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", fake], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("Node 24");
    expect(stderr).toContain("20.1.0");
  });

  const old = findPrograms("node").find(
    (path) => Number(execFileSync(path, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" })) < 24,
  );
  it.runIf(old !== undefined)("says so under an old Node that is really there", () => {
    for (const words of [["--version"], ["call", "bash", "{}"]]) {
      const { status, stdout, stderr } = spawnSync(old ?? "", [entry, ...words], { encoding: "utf8" });
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(/^Mortise needs Node 24 or newer.*\n$/);
    }
  });
});

/** Prints each file that is loaded. */
const reportLoaded = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { if (url.startsWith("file:")) process.stdout.write("loaded " + url + "\\n"); return next(url, context); } });
`)}`;
