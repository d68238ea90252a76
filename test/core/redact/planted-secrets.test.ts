import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestHost, testHost } from "../../../core/testing/testing.ts";
import { scratch } from "../cli/run-cli.ts";

/** Made anew in each run, so that it stands in no source. */
const secret = `sk-${randomBytes(12).toString("hex")}`;

const guard = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "guard", steer: ["tool.*.output"] }, (api) => {
  api.redact((text) => text.replace(/sk-[0-9a-f]{24}/g, "[gone]"), { overlap: 64 });
});`;

/** Says the secret that it is given in every way there is. */
const leak = `import { ask, definePlugin, deny, respond } from "mortise/sdk";
const slot = "tool.leak.input";
export default definePlugin({ name: "leak", capabilities: { fs_read: true, fs_write: true, net: true, run: true, env: true } }, (api) => {
  const input = { type: "object", properties: { how: { type: "string" }, secret: { type: "string" }, number: { type: "integer" } }, required: ["how"] };
  api.registerTool({ name: "leak", description: "Leaks.", input, scopes: (input) => ({ scopes: [{ kind: "command", text: "leak " + input.secret }, { kind: "other", text: input.secret }] }), run });
  async function run({ how, secret }, call) {
    if (how === "stream") {
      for (let at = 1; at < secret.length; at++) {
        call.write(secret.slice(0, at));
        await new Promise((resolve) => setTimeout(resolve, 1));
        call.write(secret.slice(at) + "\\n");
      }
      for (const letter of secret) call.write(letter);
      for (const letter of secret) call.write("\\u001b[1m" + letter + "\\u001b[0m");
      return "streamed";
    }
    if (how === "much") return ("a line with " + secret + " in it\\n").repeat(5_000);
    if (how === "data") return { text: secret, data: { [secret]: [secret, { deep: "x" + secret }], again: secret } };
    if (how === "isError") return { text: secret, isError: true };
    if (how === "throw") throw new TypeError("It broke at " + secret);
    if (how === "throw text") throw secret;
    if (how === "odd throw") throw Object.assign(new Error(secret), { name: secret, code: secret });
    if (how === "log") {
      console.log("said", secret);
      api.log.error({ [secret]: secret });
      return "logged";
    }
    if (how === "refused") return api.fs.read("/nowhere/" + secret);
    if (how === "no program") return (await api.run.exec({ argv: [secret] })).text;
    if (how === "no folder") return (await api.run.exec({ argv: ["true"], cwd: "/nowhere/" + secret })).text;
    if (how === "job") return (await api.run.exec({ argv: ["sh", "-c", "echo $0; echo $0 >&2; kill -9 $$", secret], name: secret, live: true })).text;
    if (how === "unawaited") { Promise.reject(new Error(secret)); return "left"; }
    if (how === "nested") return (await api.tools.call("leak", { how: "data", secret })).text;
    if (how === "no url") return (await api.net.fetch("http://" + secret + ".invalid/" + secret)).text;
    if (how === "event") { await api.execAutocmds("leak:told", { data: secret }); return "told"; }
    return "nothing of " + how + " " + secret;
  }
  const when = (how, layer) => api.setSlot(slot, (prev, input) => (input.how === how ? layer(input, prev) : prev()));
  when("layer denies", ({ secret }) => deny(secret));
  when("layer asks", ({ secret }) => ask(secret));
  when("layer responds", ({ secret }) => respond(secret));
  when("layer throws", ({ secret }) => { throw new Error(secret); });
  when("layer answers wrong", ({ secret }) => secret);
  when("layer changes", (input, prev) => prev({ ...input, number: 1, [input.secret]: input.secret }));
  when("layer breaks the input", (input, prev) => prev({ ...input, number: input.secret }));
  api.judge(slot, ({ how, secret }) => (how === "judge denies" ? deny(secret) : how === "judge asks" ? ask(secret) : undefined));
  api.judge(slot, ({ how, secret }) => { if (how === "judge throws") throw new Error(secret); });
  api.setSlot("tool.leak.output", async (prev, output, ctx) => {
    const below = await prev();
    const { how, secret } = ctx.input ?? {};
    if (how === "output denied") return deny(secret);
    if (how === "output throws") throw new Error(secret);
    return how === "output changed" ? { ...below, text: below.text + secret, data: [secret] } : below;
  });
  api.createAutocmd("leak:told", ({ data }) => { throw new Error(data); });
  api.registerCommand({ name: "leak", description: "Leaks.", run: (args) => { if (args.startsWith("!")) throw new Error(args); return args; } });
  api.declareSlot("leak.slot", (value) => value);
});`;

const ways = [
  ...[
    "stream",
    "much",
    "data",
    "isError",
    "throw",
    "throw text",
    "odd throw",
    "log",
    "refused",
    "no program",
    "no folder",
    "job",
    "unawaited",
    "nested",
  ],
  ...[
    "no url",
    "event",
    "layer denies",
    "layer asks",
    "layer responds",
    "layer throws",
    "layer answers wrong",
    "layer changes",
    "layer breaks the input",
  ],
  ...["judge denies", "judge asks", "judge throws", "output denied", "output throws", "output changed"],
];

/** Every file below a folder that holds the secret. */
async function holding(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(secret) ? [file] : [])));
  return [...found.flat(), ...entries.map(({ name }) => name).filter((name) => name.includes(secret))];
}

let home: string;
let before: NodeJS.ProcessEnv;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "mortise-test-"));
  before = process.env;
  process.env = {
    ...before,
    MORTISE_CONFIG_HOME: join(home, "config"),
    MORTISE_CACHE_HOME: join(home, "cache"),
    MORTISE_STATE_HOME: join(home, "state"),
    TMPDIR: join(home, "tmp"),
  };
  await mkdir(join(home, "tmp"));
});
afterEach(async () => {
  process.env = before;
  await rm(home, { recursive: true, force: true });
});

/** Calls in every way; what a program gets to see of it, as one text. */
async function callAll(host: TestHost): Promise<string> {
  const told: unknown[] = [];
  for (const event of ["ToolStart", "ToolDone", "PermissionDecided", "PluginFailed"]) host.on(event, (data) => void told.push(data));
  await mkdir(join(host.folder, "src"));
  await writeFile(join(host.folder, "src/notes.txt"), `one\nkey ${secret}\nthree\n`);
  const records = [];
  for (const how of ways) records.push(await host.call("leak", { how, secret }));
  const middle = Math.floor(secret.length / 2);
  for (const command of [
    `echo ${secret}; echo ${secret} >&2; exit 3`,
    "cat src/notes.txt",
    `for i in 1 2 3; do printf %s ${secret.slice(0, middle)}; sleep 0.02; printf %s\\\\n ${secret.slice(middle)}; done`,
    `printf '%s\\r50%%\\r' ${secret}; printf '\\033[31m${secret.slice(0, middle)}\\033[0m${secret.slice(middle)}\\n'; kill -9 $$`,
    `seq 1 3000 | sed 's/$/ ${secret}/'`,
    `export A=${secret}; if`,
    `rm -rf /nowhere/${secret}`,
  ]) {
    records.push(await host.call("bash", { command }), await host.call("bash", { command }, { outputMode: "full" }));
  }
  const half = [];
  for (let pad = 0; pad < 260; pad += 4) {
    const padded = `${"word ".repeat(60).slice(0, pad)} ${secret}`;
    half.push(await host.call("bash", { command: "true", tail: padded }), await host.call("grep", { pattern: `${padded}(` }));
    if (pad > 150) half.push(await host.call("bash", { command: `cd "${padded}" && npm publish` }, { yolo: false }));
  }
  if (host.plugins().some(({ name }) => name === "guard")) expect(half.map(({ text }) => text).join("\n")).not.toContain(secret.slice(0, 6));
  records.push(...half);
  for (const input of [{ command: "true", workdir: `/nowhere/${secret}` }, { command: 1, secret }, { [secret]: secret }, secret, [secret]])
    records.push(await host.call("bash", input));
  for (const path of ["src/notes.txt", `src/${secret}`, `/etc/${secret}`]) records.push(await host.call("read", { path }));
  records.push(await host.call("read", { path: "src/notes.txt", offset: secret }));
  await writeFile(join(host.folder, `src/${secret}.ts`), `export const key = "${secret}";\nexport function of(a = "${secret}") {}\n`);
  const long = Array.from({ length: secret.length + 2 }, (_, at) => `${"word ".repeat(100).slice(0, 499 - at)} ${secret} and more`).join("\n");
  await writeFile(join(host.folder, "src/long.txt"), long);
  const cut = await host.call("read", { path: "src/long.txt" });
  // Where a line is cut, no half of it is left.
  if (host.plugins().some(({ name }) => name === "guard")) expect(cut.text).not.toContain(secret.slice(0, 6));
  const found = await host.call("grep", { pattern: "word", path: "src/long.txt" });
  if (host.plugins().some(({ name }) => name === "guard")) expect(found.text).not.toContain(secret.slice(0, 6));
  records.push(cut, found);
  for (const [tool, input] of Object.entries({
    list: { path: "src" },
    glob: { pattern: "src/*" },
    grep: { pattern: secret, path: "src" },
    index: { path: `src/${secret}.ts` },
    edit: { path: "src/notes.txt", old_string: `key ${secret}`, new_string: `the key ${secret}` },
    multiedit: { path: "src/notes.txt", edits: [{ old_string: secret, new_string: "gone" }] },
    write: { path: `src/${secret}/new.txt`, content: secret },
    batch: { tool_calls: [{ tool: "bash", parameters: { command: `echo ${secret}` } }, { tool: secret }] },
    code_execution: { code: `console.log(await bash({ command: "echo ${secret}" })); throw new Error("${secret}");` },
    todo_write: { todos: [{ content: secret }] },
    skill: { name: secret },
    webfetch: { url: `https://${secret}.invalid/${secret}` },
    memory: { command: "read", path: secret },
  })) {
    records.push(await host.call(tool, input), await host.call(tool, input, { outputMode: "full" }));
  }
  records.push(await host.call(secret, { secret }), await host.call(`bash ${secret}`, {}));
  await writeFile(join(host.folder, "src/much.txt"), "x");
  const commands = [await host.command("leak", secret), await host.command("leak", `!${secret}`).catch((error: unknown) => String(error))];
  const fired = await host.fire("leak.slot", { [secret]: secret });
  return JSON.stringify({
    records,
    told,
    commands,
    fired,
    logs: host.logs,
    problems: host.problems(),
    slots: host.slots(),
    shown: host.shown.join(""),
  });
}

describe("a secret that a redactor knows", () => {
  it.each([
    ["with everything allowed", { yolo: true }],
    ["with nobody to ask", { yolo: false }],
    ["with a person who denies", { answer: "deny" as const }],
    ["with a person who allows always", { answer: async () => ({ decision: "allow" as const, remember: "session" as const }) }],
  ])("reaches no file, record, event, log or stream %s", { timeout: 120_000 }, async (name, options) => {
    const host = await testHost({
      settings: "files",
      stateFolder: join(home, "state"),
      plugins: [
        { name: "guard", source: guard },
        { name: "leak", source: leak },
      ],
      ...options,
    });
    const seen = await callAll(host);
    await rm(join(host.folder, "src"), { recursive: true });
    const left = await holding(host.folder);
    await host.close();

    // It was there to be seen: the calls were made, and something was redacted.
    expect(seen).toContain("[gone]");
    const shown = host.shown.join("");
    if (!name.includes("den") && !name.includes("nobody")) expect(shown.split("[gone]").length).toBeGreaterThan(secret.length);
    expect(shown).not.toContain(secret.slice(0, 10));
    expect(
      seen
        .split(secret)
        .slice(1)
        .map((after, i) => `${seen.split(secret)[i]?.slice(-200)}|${after.slice(0, 60)}`),
    ).toEqual([]);
    expect(left).toEqual([]);
    expect(await holding(home)).toEqual([]);
  });

  it("is shown by whoever is not guarded, so that the test can fail", async () => {
    const host = await testHost({ settings: "files", stateFolder: join(home, "state"), plugins: [{ name: "leak", source: leak }], yolo: true });
    const seen = await callAll(host);
    await host.close();
    expect(seen.split(secret).length).toBeGreaterThan(ways.length);
    expect((await holding(home)).map((file) => file.replace(/^.*state\/(\w+).*$/, "$1"))).toEqual(
      expect.arrayContaining(["sessions", "spills", "logs"]),
    );
  });

  it("reaches no stream and no file of the command line", { timeout: 120_000 }, async () => {
    const here = await scratch();
    try {
      await here.write("project/guard.ts", guard);
      await here.write("project/leak.ts", leak);
      let streams = "";
      for (const how of ways.filter((way) => !["layer asks", "judge asks"].includes(way)).slice(0, 40)) {
        const words = [
          "call",
          "leak",
          "-",
          "--plugin",
          "guard.ts",
          "--plugin",
          "leak.ts",
          "--yolo",
          "--trace",
          ...(how.length % 2 === 0 ? ["--json"] : []),
        ];
        const { stdout, stderr } = await here.run(words, { stdin: JSON.stringify({ how, secret }) });
        streams += stdout + stderr;
      }
      for (const words of [["trace"], ["logs"], ["doctor"]]) {
        const { stdout, stderr } = await here.run(words);
        streams += stdout + stderr;
      }
      const session = (await readdir(join(here.home, "state/sessions")))[0] ?? "";
      streams += (await here.run(["trace", session])).stdout;
      expect(streams).toContain("[gone]");
      expect(
        streams
          .split(secret)
          .slice(1)
          .map((_, i) => streams.split(secret)[i]?.slice(-200)),
      ).toEqual([]);
      expect(await holding(here.home)).toEqual([]);
      expect(await holding(here.folder)).toEqual([]);
    } finally {
      await here.remove();
    }
  });
});
