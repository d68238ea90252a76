import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, PROBE, type Scratch, scratch } from "./run-cli.ts";

const plugin = (name: string, setup: string, rest = 'steer: ["tool.bash.input"]') =>
  `import { ask, definePlugin, deny, respond } from "mortise/sdk";\nexport default definePlugin({ name: "${name}", ${rest} }, (api) => {\n${setup}\n});\nexport const used = [ask, deny, respond];\n`;
const REWRITE = plugin(
  "rewriter",
  'api.setSlot("tool.bash.input", async (prev, input) => prev({ ...input, command: input.command.replace("wrote", "ran") }));',
);
const GUARD = plugin("guard", 'api.judge("tool.bash.input", ({ command }) => (command.includes("--force") ? deny("No force here.") : undefined));');

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
  await here.write("project/probe.ts", PROBE);
});
afterEach(() => here.remove());

const bash = (command: string, ...more: string[]) => here.run(["call", "bash", JSON.stringify({ command }), ...more]);

describe("call", () => {
  it("prints the text on standard output and the rest on standard error", async () => {
    const { code, stdout, stderr } = await bash("echo hi", "--yolo");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "hi\n" });
    expect(stderr).toMatch(/permission +allow \(yolo\)/);
    expect(stderr).toMatch(/took +[\d.]+ m?s/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
    expect(stderr).not.toMatch(/\u001b/);
  });

  it("tells of images, and does not print them", async () => {
    await writeFile(join(here.folder, "a.png"), Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(92)]));
    const { stdout } = await here.run(["call", "read", '{"path":"a.png"}', "--json"]);
    expect(jsonOf(stdout)).toMatchObject({ text: "[a.png is a PNG image of 100 bytes]", images: [{ mediaType: "image/png", bytes: 100 }] });
    expect(stdout).not.toContain("base64");
  });

  it("prints one object in JSON mode, on one line, and nothing else", async () => {
    const { code, stdout } = await bash("echo hi", "--yolo", "--json");
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    const record = jsonOf(stdout);
    expect(record).toMatchObject({
      tool: "bash",
      ran: true,
      input: { command: "echo hi" },
      text: "hi",
      isError: false,
      stopped: null,
      permission: { decision: "allow", source: "yolo" },
      trace: [],
    });
    expect(Object.keys(record).slice(0, 9)).toEqual(["tool", "ran", "input", "text", "isError", "stopped", "permission", "trace", "durationMs"]);
  });

  it("reads the input from standard input", async () => {
    const { code, stdout } = await here.run(["call", "bash", "-", "--yolo"], { stdin: '\ufeff{"command":"echo \\"piped é\\""}' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "piped é\n" });
  });

  it("runs in the folder of --cwd, and finds --plugin files from where it is called", async () => {
    await here.write("project/sub/file", "");
    const { code, stdout } = await here.run(["call", "bash", '{"command":"pwd"}', "--yolo", "--cwd", "sub", "--plugin", "probe.ts"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(here.folder, "sub")}\n` });
  });

  it("shows what the model wrote, what ran and who changed it, and with --trace each layer", async () => {
    await here.write("project/rewriter.ts", REWRITE);
    const { code, stdout, stderr } = await bash("echo wrote", "--yolo", "--trace", "--plugin", "rewriter.ts");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ran\n" });
    expect(stderr).toMatch(/wrote +command: echo wrote\n/);
    expect(stderr).toMatch(/ran +command: echo ran\n/);
    expect(stderr).toMatch(/changed by +rewriter/);
    expect(stderr).toMatch(/tool\.bash\.input +rewriter +layer +[\d.]+ ms +changed/);
  });

  it("exits with 1 where a judge stopped it, naming the plugin and its reason", async () => {
    await here.write("project/guard.ts", GUARD);
    const { code, stdout } = await bash("git push --force", "--plugin", "guard.ts", "--json");
    expect(code).toBe(1);
    expect(jsonOf(stdout)).toMatchObject({ ran: false, isError: true, stopped: { plugin: "guard", by: "judge", reason: "No force here." } });
    const shown = await bash("git push --force", "--plugin", "guard.ts");
    expect(shown.code).toBe(1);
    expect(shown.stderr).toMatch(/stopped by +guard: No force here\. \(judge\)/);
  });

  it("exits with 1 where the tool failed", async () => {
    const { code, stdout } = await here.run(["call", "fail", "{}", "--plugin", "probe.ts"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "It did not work.\n" });
  });

  it("exits with 3 at its deadline, with what there was of the text", async () => {
    const { code, stdout } = await here.run(["call", "wait", "{}", "--plugin", "probe.ts", "--timeout", "1"]);
    expect(code).toBe(3);
    expect(stdout).toContain("half of it");
  });

  it("exits with 5 where nobody is there to be asked, and names the rule that would allow it", async () => {
    const { code, stdout } = await bash("echo hi");
    expect(code).toBe(5);
    expect(stdout).toContain("echo");
    const json = await bash("echo hi", "--json");
    expect(json.code).toBe(5);
    expect(jsonOf(json.stdout)).toMatchObject({ ran: false, isError: true, permission: { decision: "deny", source: "nobody" } });
  });

  it("takes --answer for a person's", async () => {
    expect(await bash("echo hi", "--answer", "allow")).toMatchObject({ code: 0, stdout: "hi\n" });
    expect(await bash("echo hi", "--answer", "deny")).toMatchObject({ code: 5 });
  });

  it("grants --plugin files what they ask for, and nothing with --no-grant", async () => {
    await here.write("project/rewriter.ts", REWRITE);
    const { stdout, stderr } = await bash("echo wrote", "--yolo", "--plugin", "rewriter.ts", "--no-grant");
    expect(stdout).toBe("wrote\n");
    expect(stderr).not.toContain("changed by");
  });

  it("leaves the user's plugins out with --no-plugins, and keeps the rules", async () => {
    await here.write("home/config/plugins/rewriter.ts", REWRITE);
    await here.write("home/config/config.jsonc", '{ "grants": { "rewriter": true } }');
    await here.write("home/config/permissions.jsonc", '{ "rules": [{ "tool": "bash", "pattern": "ls *", "effect": "deny" }] }');
    expect((await bash("echo wrote", "--yolo")).stdout).toBe("ran\n");
    expect((await bash("echo wrote", "--yolo", "--no-plugins")).stdout).toBe("wrote\n");
    expect((await bash("ls /", "--yolo", "--no-plugins")).code).toBe(5);
  });

  it("cuts a long text for the model, and prints all of it with --full", async () => {
    const chars = 200_000;
    const cut = await here.run(["call", "big", JSON.stringify({ chars }), "--plugin", "probe.ts"]);
    expect(cut.stdout.length).toBeLessThan(chars);
    const spill = /whole text +(\S+)/.exec(cut.stderr)?.[1] ?? "";
    expect((await stat(spill)).mode & 0o777).toBe(0o600);
    const full = await here.run(["call", "big", JSON.stringify({ chars }), "--plugin", "probe.ts", "--full"]);
    expect(full.stdout.length).toBe(chars + 1);
  });

  it("says a text that is binary or cut inside a character as valid UTF-8", async () => {
    const { code, stdout } = await bash("printf '\\xff\\x00\\xe2\\x82'; head -c 3 /dev/zero", "--yolo", "--json");
    expect(code).toBe(0);
    expect(String(jsonOf(stdout).text).isWellFormed()).toBe(true);
  });

  it("colours on a terminal only, or where it is asked to", async () => {
    const colour = "\u001b[";
    expect((await bash("echo hi", "--yolo")).stderr).not.toContain(colour);
    const forced = await here.run(["call", "bash", '{"command":"echo hi"}', "--yolo"], { env: { FORCE_COLOR: "1" } });
    expect(forced.stderr).toContain(colour);
    const json = await here.run(["call", "bash", '{"command":"echo hi"}', "--yolo", "--json"], { env: { FORCE_COLOR: "1" } });
    expect(json.stdout).not.toContain(colour);
  });

  it("waits for two at once in one project", async () => {
    await here.write("home/config/permissions.jsonc", '{ "rules": [{ "tool": "bash", "pattern": "echo *", "effect": "allow" }] }');
    const all = await Promise.all([1, 2, 3].map((n) => bash(`echo ${n}`, "--json")));
    expect(all.map(({ code, stdout }) => [code, jsonOf(stdout).text])).toEqual([1, 2, 3].map((n) => [0, String(n)]));
    expect(await readdir(join(here.home, "state", "sessions"))).toHaveLength(3);
  });

  it("leaves standard output alone where a plugin logs", async () => {
    await writeFile(
      join(here.folder, "noisy.ts"),
      plugin("noisy", 'console.log("noise"); api.judge("tool.bash.input", () => { console.log("more noise"); api.log.warn("and more"); });'),
    );
    const { code, stdout } = await bash("echo hi", "--yolo", "--plugin", "noisy.ts");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "hi\n" });
  });
});
