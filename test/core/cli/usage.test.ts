import { spawnSync } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { entry, jsonOf, PROBE, type Scratch, scratch } from "./run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

/** Exits with 2, says why, and gives the program that reads standard output one object. */
async function refuses(words: readonly string[], ...says: RegExp[]): Promise<void> {
  const { code, stdout, stderr } = await here.run([...words, "--json"]);
  expect(code, stderr).toBe(2);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).not.toMatch(/^ {4}at /m);
  const { error, isError, code: recorded, text } = jsonOf(stdout);
  if (error === undefined) expect({ isError, recorded }).toEqual({ isError: true, recorded: expect.any(String) });
  else expect(stderr).toContain(`mortise: ${error.message}`);
  for (const each of says) expect(error?.message ?? text).toMatch(each);
}

/** The same without JSON: standard output stays empty. */
async function refusesPlainly(words: readonly string[], says: RegExp): Promise<void> {
  const { code, stdout, stderr } = await here.run(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^mortise: [A-Z]/m);
  expect(stderr).toMatch(says);
}

describe("a command line that is not valid", () => {
  it.each<[string, string[], RegExp]>([
    ["an unknown command", ["cal"], /call/],
    ["an unknown option", ["call", "say", "--trac"], /--trace/],
    ["a missing argument", ["call"], /tool/],
    ["an argument too many", ["call", "a", "{}", "c"], /arguments/],
    ["an answer that is none", ["call", "say", "--answer", "yes"], /allow, deny/],
    ["a timeout that is none", ["call", "say", "--timeout", "soon"], /seconds/],
    ["an unknown word after plugins", ["plugins", "enabel", "x"], /"enable"/],
    ["an unknown word after grant", ["grant", "revok", "x"], /"revoke"/],
    ["an unknown word after trust", ["trust", "ad"], /"add"/],
    ["an unknown word after help", ["help", "slot"], /"slots"/],
    ["a plugin without a path", ["slots", "--plugin", ""], /path/],
  ])("is refused for %s", async (_name, words, says) => {
    await refuses(words, says, /--help`/);
  });

  it("is refused for input that is no JSON", async () => {
    await refuses(["call", "bash", "{command: 1}"], /no JSON/);
    const { code, stdout, stderr } = await here.run(["call", "bash", "-"], { stdin: "git status" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^mortise: .*no JSON/);
  });

  it("is refused for a folder that does not exist, or is a file", async () => {
    const file = await here.write("project/file", "");
    await refuses(["call", "bash", "{}", "--cwd", join(here.folder, "nowhere")], /working directory/, /nowhere/);
    await refuses(["slots", "--cwd", file], /working directory/);
    const { status, stderr } = spawnSync("sh", ["-c", `mkdir gone; cd gone; rmdir ../gone; exec '${process.execPath}' '${entry}' slots`], {
      cwd: here.folder,
      env: here.env,
      encoding: "utf8",
    });
    expect({ status, says: /^mortise: The working directory does not exist/m.test(stderr) }).toEqual({ status: 2, says: true });
  });
});

describe("a tool or input that is not valid", () => {
  it("is refused for an unknown tool, with close names", async () => {
    await refuses(["call", "bsh", "{}"], /"bash"/);
    await refusesPlainly(["call", "bsh", "{}"], /"bash"/);
    await refuses(["tools", "bsh"], /"bash"/);
    await refuses(["slots", "bsh"], /"bash"/);
  });

  it("is refused for an unknown slot, with close names, and not for one that nobody is on", async () => {
    await refuses(["slots", "tool.bash.inptu"], /"tool\.bash\.input"/);
    expect((await here.run(["slots", "tool.read.input"])).code).toBe(0);
    expect((await here.run(["slots", "agent.stop"])).code).toBe(0);
  });

  it("is refused for input that fails the schema, with path, expected and got", async () => {
    await refuses(["call", "bash", '{"command":["a"]}'], /command/, /string/);
    await refuses(["call", "bash", "{}"], /command/);
    await refuses(["call", "bash", '"text"'], /object/);
  });
});

describe("a plugin that is not valid", () => {
  it.each<[string, string, RegExp]>([
    ["is empty", "", /plugin/],
    ["is no TypeScript", "this is { no program", /bad\.ts:1:\d+/],
    ["exports no plugin", "export const x = 1;", /default export/],
    [
      "registers nothing",
      `import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "idle" }, () => {});`,
      /registers nothing/,
    ],
    ["takes a tool's name", PROBE.replaceAll('"say"', '"bash"'), /bash/],
    [
      "declares a slot of the host's",
      `import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "idle" }, (api) => { api.declareSlot("tool.mine", (value) => value); });`,
      /slot/i,
    ],
    [
      "throws in its setup",
      `import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "idle" }, () => { throw new Error("oh no"); });`,
      /oh no/,
    ],
  ])("is refused where it %s, with its file", async (_name, source, says) => {
    await here.write("project/bad.ts", source);
    await here.write("project/good.ts", PROBE.replaceAll(`name: "`, `name: "good_`));
    await refuses(["call", "bash", '{"command":"true"}', "--plugin", "good.ts", "--plugin", "bad.ts"], says, /bad\.ts/);
  });

  it("is refused where it is not there, or cannot be read", async () => {
    await refuses(["call", "bash", "{}", "--plugin", "nowhere.ts"], /nowhere\.ts/);
    await refusesPlainly(["call", "bash", "{}", "--plugin", "nowhere.ts"], /nowhere\.ts/);
    const file = await here.write("project/secret.ts", PROBE);
    await chmod(file, 0);
    // The superuser reads everything.
    if (process.getuid?.() !== 0) await refuses(["call", "bash", "{}", "--plugin", file], /secret\.ts/);
  });

  it("leaves the other plugins of the user's folder at work, and is told", async () => {
    await here.write("home/config/plugins/bad.ts", "this is { no program");
    await here.write("home/config/plugins/probe.ts", PROBE);
    const { code, stdout, stderr } = await here.run(["call", "say", '{"text":"still here"}']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "still here\n" });
    expect(stderr).toMatch(/bad\.ts:1:\d+/);
    const doctor = await here.run(["doctor"]);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/error.*bad\.ts:1:\d+/s);
    const plugins = await here.run(["plugins"]);
    expect(plugins.stdout).toMatch(/^probe +user +loaded .*\n- +does not load +.*bad\.ts$/m);
    expect(plugins.stderr).toMatch(/bad\.ts:1:\d+/);
    const listed = JSON.parse((await here.run(["plugins", "--json"])).stdout);
    expect(listed).toContainEqual({
      name: null,
      path: join(here.home, "config/plugins/bad.ts"),
      failed: { code: "plugin_not_compiled", message: expect.any(String) },
    });
  });

  it("is told apart from others of the user's folder by its file", async () => {
    const idle = 'import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "idle" }, () => {});';
    for (const name of ["one", "two"]) await here.write(`home/config/plugins/${name}.ts`, idle);
    for (const words of [["call", "bash", "{}"], ["plugins"], ["doctor"]]) {
      const { stdout, stderr } = await here.run(words);
      for (const name of ["one", "two"]) expect(stdout + stderr, words[0]).toMatch(new RegExp(`${name}\\.ts: .*registers nothing`));
    }
  });

  it("keeps what it guarded closed, and is told how that ends", async () => {
    const guard =
      'import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "guard", steer: ["tool.bash.input"] }, (api) => { api.judge("tool.bash.input", () => {}); });';
    await here.write("home/config/plugins/guard.ts", guard);
    await here.run(["grant", "guard"]);
    await here.write("home/config/plugins/guard.ts", "this is { no program");
    const call = await here.run(["call", "bash", '{"command":"true"}', "--yolo"]);
    expect(call.code).toBe(1);
    for (const told of [call.stderr, (await here.run(["doctor"])).stdout]) expect(told).toContain("mortise plugins disable guard");
    expect((await here.run(["plugins"])).stdout).toMatch(/^guard +user +failed /m);
    await here.run(["plugins", "disable", "guard"]);
    expect((await here.run(["call", "bash", '{"command":"true"}', "--yolo"])).code).toBe(0);
  });
});

describe("a settings file that does not parse", () => {
  it.each(["config.jsonc", "permissions.jsonc"])("stops the start with the place in %s", async (name) => {
    await here.write(`home/config/${name}`, '{\n  "rules": [\n    { "tool" "bash" }\n  ]\n}\n');
    await refuses(["call", "bash", '{"command":"true"}', "--yolo"], new RegExp(`${name.replace(".", "\\.")}:3:\\d+`));
    const doctor = await here.run(["doctor"]);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/error.*:3:\d+/s);
  });

  it("stops the start for a misspelt effect, so that no rule is dropped", async () => {
    await here.write("home/config/permissions.jsonc", '{ "rules": [{ "tool": "bash", "pattern": "rm *", "effect": "dney" }] }');
    await refuses(["call", "bash", '{"command":"true"}', "--yolo"], /deny/);
  });

  it("does not stop `plugins`, whose list needs none of it, from saying so", async () => {
    await mkdir(join(here.home, "config"), { recursive: true });
    await here.write("home/config/config.jsonc", "{ nope");
    await refuses(["plugins"], /config\.jsonc:1:\d+/);
  });
});
