import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ended, entry, findPrograms, jsonOf, type Scratch, scratch } from "./run-cli.ts";

const DOWN = "\u001b[B";
const ENTER = "\r";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ESCAPE = "\u001b";
const QUESTION = "Allow this call?";

// The one of util-linux: others take their command differently.
const pseudoTerminal = process.platform === "linux" && findPrograms("script").length > 0;

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

/** Runs the command line in a terminal of its own, and types each answer once its question is there. Standard output goes to a file. */
async function inTerminal(
  words: readonly string[],
  answers: readonly (readonly [question: string, keys: readonly string[]])[],
  size = "rows 40 cols 120",
): Promise<{ code: number | null; screen: string; stdout: string }> {
  const quoted = [process.execPath, entry, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const out = join(here.home, "stdout");
  const child = spawn("script", ["-qfec", `${size === "" ? "" : `stty ${size}; `}${quoted} > '${out}'`, "/dev/null"], {
    cwd: here.folder,
    env: { ...here.env, TERM: "xterm" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let screen = "";
  let seen = 0;
  const left = [...answers];
  child.stdout.on("data", (bytes: Buffer) => {
    screen += bytes.toString("utf8");
    const [next] = left;
    const at = next === undefined ? -1 : stripVTControlCharacters(screen).indexOf(next[0], seen);
    if (next === undefined || at === -1) return;
    seen = at + next[0].length;
    left.shift();
    type(next[1]);
  });
  const type = ([key, ...rest]: readonly string[]) => {
    if (key === undefined) return;
    if (key === "EOF") return void child.stdin.end();
    child.stdin.write(key);
    setTimeout(type, 60, rest);
  };
  const giveUp = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const { code } = await ended(child);
  clearTimeout(giveUp);
  expect(left, stripVTControlCharacters(screen)).toEqual([]);
  return { code, screen: stripVTControlCharacters(screen), stdout: await readFile(out, "utf8") };
}

const call = (command: string, ...more: string[]) => ["call", "bash", JSON.stringify({ command }), ...more];
const permissions = () => readFile(join(here.home, "config", "permissions.jsonc"), "utf8");

describe.runIf(pseudoTerminal)("a prompt on a terminal", () => {
  it("shows what would run and lets it run once", async () => {
    const { code, screen, stdout } = await inTerminal(call("echo hi"), [[QUESTION, [DOWN, ENTER]]]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "hi\n" });
    expect(screen).toContain("command: echo hi");
    expect(screen).toMatch(/It needs a yes for\s+command +echo hi/);
    expect(screen).toMatch(/permission +allow \(person\)/);
  });

  it.each([
    ["Enter", [ENTER], 5, "denied"],
    ["Ctrl-C", [CTRL_C], 130, "cancelled"],
    ["Ctrl-D", [CTRL_D], 5, "denied"],
    ["Escape", [ESCAPE], 5, "denied"],
    ["the end of the input", ["EOF"], 5, "denied"],
  ])("denies on %s", async (_name, keys, exit, says) => {
    const { code, stdout } = await inTerminal(call("echo hi", "--json"), [[QUESTION, keys]]);
    expect(code).toBe(exit);
    expect(jsonOf(stdout)).toMatchObject({ ran: false, code: says, permission: { decision: "deny" } });
  });

  it("is interrupted by Ctrl-C while a person says what to do instead", async () => {
    const { code, stdout } = await inTerminal(call("echo hi", "--json"), [
      [QUESTION, [DOWN, DOWN, DOWN, DOWN, DOWN, ENTER]],
      ["What should it do instead?", [..."half", CTRL_C]],
    ]);
    expect(code).toBe(130);
    expect(jsonOf(stdout)).toMatchObject({ ran: false, code: "cancelled" });
  });

  it("gives guidance to the model", async () => {
    const { code, stdout } = await inTerminal(call("echo hi", "--json"), [
      [QUESTION, [DOWN, DOWN, DOWN, DOWN, DOWN, ENTER]],
      ["What should it do instead?", [..."use a file", ENTER]],
    ]);
    expect(code).toBe(5);
    expect(jsonOf(stdout).text).toContain("use a file");
  });

  it("keeps an answer for good, showing the rule before", async () => {
    const { code, screen } = await inTerminal(call("echo hi"), [[QUESTION, [DOWN, DOWN, DOWN, DOWN, ENTER]]]);
    expect(code).toBe(0);
    expect(screen).toMatch(/stores\s+allow +bash: echo \*/);
    expect(await permissions()).toContain("echo *");
    expect((await here.run(call("echo again"))).code).toBe(0);
  });

  it("shows the rewritten command, hidden characters and who asked", async () => {
    await here.write(
      "project/asker.ts",
      'import { ask, definePlugin } from "mortise/sdk"; export default definePlugin({ name: "asker", steer: ["tool.bash.input"] }, (api) => { api.setSlot("tool.bash.input", (_prev, input) => ask("Is this meant?", { input: { ...input, command: input.command + " \\u202e; true" } })); });',
    );
    const { code, screen } = await inTerminal(call("echo hi", "--plugin", "asker.ts", "--yolo"), [[QUESTION, [ENTER]]]);
    expect(code).toBe(5);
    expect(screen).toContain("echo hi \\u{202e}; true");
    expect(screen).toContain("asker asks: Is this meant?");
  });

  it("can be read where the terminal does not know its size", async () => {
    const { code, screen } = await inTerminal(call("echo hi"), [[QUESTION, [DOWN, ENTER]]], "");
    expect(code).toBe(0);
    expect(screen).toContain("Deny always, everywhere");
  });
});

describe.runIf(pseudoTerminal)("a call on a terminal", () => {
  const slow = "for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.1; done";

  it("shows what the tool prints while it runs, and then the answer alone on standard output", async () => {
    const { code, screen, stdout } = await inTerminal(call(slow, "--yolo"), []);
    expect(code).toBe(0);
    expect(stdout).toBe("line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\n");
    expect(screen).toContain("│ line 2");
    expect(screen).toMatch(/permission +allow/);
  });

  it("shows it in JSON mode too, and the answer stays one object", async () => {
    const { screen, stdout } = await inTerminal(call(slow, "--yolo", "--json"), []);
    expect(screen).toContain("│ line 2");
    expect(jsonOf(stdout)).toMatchObject({ tool: "bash", isError: false });
  });
});

describe.runIf(pseudoTerminal)("a plugin that asks for grants on a terminal", () => {
  const WANTS =
    'import { definePlugin, deny } from "mortise/sdk"; export default definePlugin({ name: "wants", steer: ["tool.bash.input"] }, (api) => { api.judge("tool.bash.input", () => deny("judged")); });';
  const CONSENT = "Grant it this?";

  it("is granted once, by a person who read what it means", async () => {
    await here.write("home/config/plugins/wants.ts", WANTS);
    const first = await inTerminal(call("echo hi", "--yolo", "--json"), [[CONSENT, [DOWN, ENTER]]]);
    expect(first.screen).toContain("can see, change, block or answer any command");
    expect(first.code).toBe(1);
    expect(jsonOf(first.stdout)).toMatchObject({ stopped: { plugin: "wants" } });
    expect((await here.run(call("echo hi", "--yolo"))).code).toBe(1);
  });

  it("is asked about again after Ctrl-C or Ctrl-D, and not after a no", async () => {
    await here.write("home/config/plugins/wants.ts", WANTS);
    expect((await inTerminal(call("echo hi", "--yolo"), [[CONSENT, [CTRL_C]]])).code).toBe(130);
    expect((await inTerminal(call("echo hi", "--yolo"), [[CONSENT, [CTRL_D]]])).code).toBe(0);
    expect((await inTerminal(call("echo hi", "--yolo"), [[CONSENT, [ENTER]]])).code).toBe(0);
    const { code, screen } = await inTerminal(call("echo hi", "--yolo"), []);
    expect(code).toBe(0);
    expect(screen).not.toContain(CONSENT);
  });

  it("is granted by `mortise grant` after a yes only", async () => {
    await here.write("home/config/plugins/wants.ts", WANTS);
    expect((await inTerminal(["grant", "wants"], [[CONSENT, [CTRL_D]]])).code).toBe(5);
    expect((await inTerminal(["grant", "wants"], [[CONSENT, [CTRL_C]]])).code).toBe(130);
    expect(JSON.parse((await here.run(["grant", "list", "--json"])).stdout)).toMatchObject([{ name: "wants", grantedSteer: [] }]);
    expect((await inTerminal(["grant", "wants"], [[CONSENT, [DOWN, ENTER]]])).code).toBe(0);
    expect(JSON.parse((await here.run(["grant", "list", "--json"])).stdout)).toMatchObject([{ name: "wants", grantedSteer: ["tool.bash.input"] }]);
  });
});

describe.runIf(pseudoTerminal)("a project that is not trusted", () => {
  it("is trusted by a person who saw its files", async () => {
    await here.write("project/.mortise/permissions.jsonc", '{ "rules": [{ "tool": "bash", "pattern": "echo *", "effect": "allow" }] }');
    const { code, screen } = await inTerminal(["trust", "add"], [["Trust these files?", [DOWN, ENTER]]]);
    expect(code).toBe(0);
    expect(screen).toContain("permissions.jsonc");
    expect((await here.run(call("echo hi"))).code).toBe(0);
  });
});
