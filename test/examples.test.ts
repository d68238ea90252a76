import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestHost, type TestOptions, testHost } from "../core/testing/testing.ts";
import { waitUntil } from "./support/wait-until.ts";

const example = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));

let cwd = "";
const hosts = new Map<string, Promise<TestHost>>();
const path = process.env.PATH ?? "";

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "mortise-examples-"));
  for (const args of [
    ["init", "-q"],
    ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "Begin"],
  ]) {
    spawnSync("git", args, { cwd });
  }
});

afterEach(() => {
  process.env.PATH = path;
});

afterAll(async () => {
  for (const host of hosts.values()) await (await host).close();
  await rm(cwd, { recursive: true, force: true });
});

/** A host with these plugins in a scratch repository; tests that want the same one share it. */
function start(plugins: readonly string[], options: TestOptions = {}): Promise<TestHost> {
  const key = JSON.stringify([plugins, options]);
  const host = hosts.get(key) ?? testHost({ cwd, yolo: true, plugins: plugins.map(example), ...options });
  hosts.set(key, host);
  return host;
}

/** Puts a program at the front of PATH, or hides `rg` with a PATH of nothing else. */
async function program(name: string, script: string): Promise<void> {
  const bin = join(cwd, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, name), script);
  await chmod(join(bin, name), 0o755);
  process.env.PATH = `${bin}${delimiter}${path}`;
}

describe("examples/rewrite-grep.ts", () => {
  const rg = '#!/bin/sh\necho "rg got: $*"\n';

  it("runs grep -r as rg and tells the model", async () => {
    await program("rg", rg);
    const t = await start(["rewrite-grep.ts"]);
    const call = await t.call("bash", { command: 'grep -rn "two words" src' });
    expect(call).toMatchObject({
      ran: true,
      isError: false,
      wrote: { command: 'grep -rn "two words" src' },
      input: { command: 'rg -n "two words" src' },
    });
    expect(call.text).toMatch(/^rg got: -n two words src\n\[This ran as `rg`/);
  });

  it("adds nothing to the full text that code asked for", async () => {
    await program("rg", rg);
    const t = await start(["rewrite-grep.ts"]);
    const call = await t.call("bash", { command: "grep -r word" }, { outputMode: "full" });
    expect(call.text.trim()).toBe("rg got: word");
  });

  it("leaves what rg would read otherwise", async () => {
    await program("rg", rg);
    const t = await start(["rewrite-grep.ts"]);
    for (const command of ["grep -r 'a\\|b' x", "grep -rv word x", "grep -i word -r x", "echo grep -r word"]) {
      const call = await t.call("bash", { command });
      expect(call.input).toEqual({ command });
      expect(call.text).not.toContain("rg got");
    }
  });

  it("leaves everything where rg is not installed", async () => {
    await program("rg", "#!/bin/sh\nexit 127\n");
    await writeFile(join(cwd, "a.txt"), "a word\n");
    const t = await start(["rewrite-grep.ts"]);
    const call = await t.call("bash", { command: "grep -rl word a.txt" });
    expect(call.wrote).toBeUndefined();
    expect(call.text.trim()).toBe("a.txt");
  });
});

describe("examples/no-force-push.ts", () => {
  it.each([
    "git push --force",
    "git push -f",
    "git push origin main --force",
    "git push -uf origin main",
    "git push --force-with-lease origin main",
    "git push origin +main",
    "git push --mirror",
    "git -C sub push --force",
    "git -c user.name=x push --force",
    "/usr/bin/git push --force",
    'git "push" --force',
    "git pu\\sh -f",
    "cd sub && git push --force; true",
    "(git push --force)",
    "echo $(git push --force)",
    "sh -c 'git push --force'",
    "env GIT_TRACE=1 git push --force",
    "sudo -u me git push --force",
    "if true; then git push -f; fi",
    "GIT_SSH=x git push --force",
    "find . -exec git push --force \\;",
    "bash <<< 'git push -f'",
    "eval git push -f",
    "git -c alias.p='push --force' p",
    "echo 'git push -f' | sh",
  ])("refuses %s", async (command) => {
    const t = await start(["no-force-push.ts"]);
    const call = await t.call("bash", { command });
    expect(call).toMatchObject({ ran: false, isError: true, code: "stopped", stopped: { plugin: "no-force-push", by: "judge" } });
    expect(call.text).toBe("Force pushing is not allowed here. Push to a branch of your own and open a PR instead.");
  });

  it.each(["git $(echo push) --force", "$GIT push --force", "git push $FLAGS", "git push {--force,}", "echo --force | xargs git push"])(
    "has a person look at %s",
    async (command) => {
      const t = await start(["no-force-push.ts"]);
      const call = await t.call("bash", { command });
      expect(call).toMatchObject({ ran: false, permission: { decision: "deny", source: "nobody" } });
      expect(call.trace).toContainEqual(expect.objectContaining({ plugin: "no-force-push", kind: "judge", outcome: "asked" }));
    },
  );

  it.each([
    "git status",
    "git log --oneline -f || true",
    "git commit -q --allow-empty -m 'push --force'; true",
    "echo git push --force",
    "git push origin main || true",
  ])("lets %s run", async (command) => {
    const t = await start(["no-force-push.ts"]);
    const call = await t.call("bash", { command });
    expect(call).toMatchObject({ ran: true, isError: false, stopped: null });
  });

  it("is granted nothing but the slot", async () => {
    const t = await start(["no-force-push.ts"]);
    expect(t.plugins().find((plugin) => plugin.name === "no-force-push")).toMatchObject({ granted: {}, grantedSteer: ["tool.bash.input"] });
  });
});

describe("examples/trim-output.ts", () => {
  const command = "printf '   Compiling serde v1.0.1\\nwarning: unused\\n   Compiling rand v0.9.0\\n    Finished\\n'";

  it("drops compiler noise and says how much", async () => {
    const t = await start(["trim-output.ts"]);
    const call = await t.call("bash", { command });
    expect(call.text).not.toContain("Compiling");
    expect(call.text).toContain("warning: unused\n    Finished");
    expect(call.text).toContain("[2 lines of build noise left out]");
  });

  it("leaves the full text whole", async () => {
    const t = await start(["trim-output.ts"]);
    const call = await t.call("bash", { command }, { outputMode: "full" });
    expect(call.text.trimEnd()).toBe("   Compiling serde v1.0.1\nwarning: unused\n   Compiling rand v0.9.0\n    Finished");
  });

  it("leaves other output as it came", async () => {
    const t = await start(["trim-output.ts"]);
    const call = await t.call("bash", { command: "echo Compiling thoughts" });
    expect(call.text.trim()).toBe("Compiling thoughts");
    expect(call.trace).toMatchObject([{ plugin: "trim-output", outcome: "passed" }]);
  });
});

describe("examples/redact-secrets.ts", () => {
  const github = `ghp_${"a1B2".repeat(9)}`;
  const openai = `sk-${"x9".repeat(20)}`;
  const aws = "AKIAABCDEFGHIJKLMNOP";
  const awsSecret = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYab";
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const keyLines = privateKey.trimEnd().split("\n");

  it("removes tokens and keys, and nothing else", async () => {
    await writeFile(
      join(cwd, "secrets"),
      [`a ${github} b`, openai, aws, `aws_secret_access_key = ${awsSecret}`, "task-abcdefghijklmnopqrstuvwxyz", privateKey, "end."].join("\n"),
    );
    const t = await start(["redact-secrets.ts"]);
    const call = await t.call("bash", { command: "cat secrets" });
    expect(call.text.trimEnd()).toBe(
      [
        "a [redacted] b",
        "[redacted]",
        "[redacted]",
        "aws_secret_access_key = [redacted]",
        "task-abcdefghijklmnopqrstuvwxyz",
        "[redacted]",
        "",
        "end.",
      ].join("\n"),
    );
  });

  it.each([
    ["without its END", keyLines.slice(0, 9)],
    ["without its BEGIN", keyLines.slice(-9)],
    ["on one line", [JSON.stringify(privateKey)]],
    ["behind line numbers", keyLines.map((line, i) => `${i + 1}\t${line}`)],
    ["behind a path", keyLines.map((line) => `keys/a.pem:${line}`)],
  ])("removes a private key %s", async (_, lines) => {
    await writeFile(join(cwd, "key"), ["before it.", ...lines, "", "after it."].join("\n"));
    const t = await start(["redact-secrets.ts"]);
    const { text } = await t.call("bash", { command: "cat key" });
    for (const line of keyLines.slice(1, -1)) expect(text).not.toContain(line.slice(0, 20));
    expect(text).toContain("before it.");
    expect(text).toContain("after it.");
  });

  it("removes what other tools read", async () => {
    await writeFile(join(cwd, "secrets"), github);
    const t = await start(["redact-secrets.ts"]);
    const call = await t.call("read", { path: "secrets" });
    expect(call.ran).toBe(true);
    expect(call.text).toContain("[redacted]");
    expect(JSON.stringify(call)).not.toContain(github);
  });

  it("shows no part of a secret that is split over chunks", async () => {
    const t = await start(["redact-secrets.ts"]);
    const before = t.shown.length;
    const filler = "echo 'nothing here, nothing there, and so on for a while'";
    const halves = `printf ${github.slice(0, 20)}; sleep 0.2; printf '${github.slice(20)}\\n'`;
    const slowKey = keyLines.map((line) => `echo '${line}'`).join("; sleep 0.01; ");
    const command = `for i in $(seq 200); do ${filler}; done; ${halves}; ${slowKey}; for i in $(seq 200); do ${filler}; done`;
    const call = await t.call("bash", { command });
    const chunks = t.shown.slice(before);
    const shown = chunks.join("");
    expect(chunks.length).toBeGreaterThan(1);
    for (const text of [shown, call.text]) {
      expect(text).toContain("[redacted]");
      expect(text).not.toContain("ghp_");
      expect(text).not.toContain(github.slice(20));
      for (const line of keyLines) expect(text).not.toContain(line.slice(0, 20));
    }
  });

  it("removes them from an error, from data, from what was written, and from the trace", async () => {
    const leaky = {
      name: "leaky",
      source: `import { definePlugin } from "mortise/sdk";
        export default definePlugin({ name: "leaky", steer: ["tool.bash.input"] }, (api) => {
          api.registerTool({ name: "leak", description: "Leaks.", input: { type: "object" }, scopes: "none",
            run: () => ({ text: "see data", data: { deep: [{ token: "${openai}" }] } }) });
          api.registerTool({ name: "fail", description: "Fails.", input: { type: "object" }, scopes: "none",
            run: () => { throw new Error("cannot log in with ${openai}"); } });
          api.setSlot("tool.bash.input", (prev, input) => prev({ ...input, command: input.command + " ${openai}" }));
        });`,
    };
    const t = await start([], { plugins: [leaky, example("redact-secrets.ts")] });
    const data = await t.call("leak", {});
    expect(data.data).toEqual({ deep: [{ token: "[redacted]" }] });
    const failed = await t.call("fail", {});
    expect(failed.isError).toBe(true);
    const bash = await t.call("bash", { command: `echo ${github}; exit 3` });
    expect(bash).toMatchObject({ ran: true, isError: true, wrote: { command: "echo [redacted]; exit 3" } });
    expect(bash.trace.find((entry) => entry.plugin === "leaky")).toMatchObject({
      outcome: "changed",
      after: { value: { command: "echo [redacted]; exit 3 [redacted]" } },
    });
    for (const record of [data, failed, bash]) {
      expect(JSON.stringify(record)).not.toContain(openai);
      expect(JSON.stringify(record)).not.toContain(github);
    }
  });

  it("removes them after a cancel", async () => {
    const t = await start(["redact-secrets.ts"]);
    const stop = new AbortController();
    const command = `echo ${github}; for i in $(seq 3000); do echo line $i of many; done; sleep 60`;
    const call = await t.call("bash", { command }, { signal: stop.signal, onOutput: () => stop.abort() });
    expect(call).toMatchObject({ isError: true, code: "cancelled" });
    expect(call.text).toContain("[redacted]");
    expect(JSON.stringify(call)).not.toContain(github);
  });

  it("removes them from the spilled file", async () => {
    const t = await start(["redact-secrets.ts"]);
    const call = await t.call("bash", { command: `seq 1 5000; echo ${github}; seq 1 20000` });
    expect(call.text).not.toContain(github);
    const spilled = await readFile(call.spill ?? "", "utf8");
    expect(spilled).toContain("\n[redacted]\n");
    expect(spilled).not.toContain(github);
  });

  it.each([
    ["one letter", "head -c 262144 /dev/zero | tr '\\0' A"],
    ["dashes", "head -c 262144 /dev/zero | tr '\\0' -"],
    ["BEGINs", "for i in $(seq 8000); do printf -- '-----BEGIN RSA PRIVATE KEY-----'; done"],
    ["sk-", "for i in $(seq 60000); do printf 'sk-'; done"],
  ])("copes with a line of 256 KB of %s", async (_, command) => {
    const t = await start(["redact-secrets.ts"]);
    const call = await t.call("bash", { command }, { outputMode: "full" });
    expect(call.code).toBeNull();
    expect(call.trace).toMatchObject([{ plugin: "redact-secrets", kind: "redactor", outcome: expect.stringMatching(/passed|changed/) }]);
  });
});

describe("examples/ask-terraform.ts", () => {
  const rules = [{ tool: "bash", effect: "allow" }] as const;

  it.each(["terraform apply", "cd infra && terraform -chdir=x apply -auto-approve", "env X=1 tofu destroy", "sh -c 'terraform apply'"])(
    "asks about %s, whatever rules and yolo say",
    async (command) => {
      const t = await start(["ask-terraform.ts"], { rules });
      const call = await t.call("bash", { command });
      expect(call).toMatchObject({ ran: false, permission: { decision: "deny", source: "nobody" } });
    },
  );

  it("runs what a person approves, and shows the person why it was asked", async () => {
    await program("terraform", "#!/bin/sh\necho applied\n");
    const t = await start(["ask-terraform.ts"], { answer: "allow" });
    const call = await t.call("bash", { command: "terraform apply" });
    expect(call).toMatchObject({ ran: true, permission: { source: "person" } });
    expect(call.text.trim()).toBe("applied");
    expect(t.prompts).toMatchObject([{ reasons: [{ plugin: "ask-terraform", reason: "This changes live infrastructure." }] }]);
  });

  it("lets a plan run", async () => {
    await program("terraform", "#!/bin/sh\necho planned\n");
    const t = await start(["ask-terraform.ts"]);
    expect((await t.call("bash", { command: "terraform plan" })).text.trim()).toBe("planned");
  });
});

describe("examples/allow-status.ts", () => {
  it.each([
    "git status",
    "git status --short",
    "git log --oneline -5",
    "git diff HEAD~1..HEAD || git diff",
    "pwd && ls -la",
    "git branch --show-current",
    "git status 2>/dev/null",
  ])("allows %s without a question", async (command) => {
    const t = await start(["allow-status.ts"], { yolo: false });
    const call = await t.call("bash", { command });
    expect(call).toMatchObject({ ran: true, permission: { decision: "allow", source: "layer:allow-status" } });
  });

  it.each([
    "git status; rm -rf x",
    "git status & rm -rf x",
    "git status | sh",
    "git status\nrm -rf x",
    "git status $(rm -rf x)",
    "git status `rm -rf x`",
    "git status > x/kept",
    "git diff --output=x/kept",
    "git log -p --ext-diff",
    "git -c core.fsmonitor='rm -rf x' status",
    "GIT_EXTERNAL_DIFF='rm -rf x' git diff",
    "PATH=.:$PATH git status",
    "git diff /etc/passwd /dev/null",
    "git diff ../a ../b",
    "git branch -D main",
    "git() { rm -rf x; }; git status",
    "cd x && git status",
    "rm -rf x",
    "ls; eval 'rm -rf x'",
  ])("leaves %s to a person", async (command) => {
    await mkdir(join(cwd, "x"), { recursive: true });
    await writeFile(join(cwd, "x/kept"), "kept");
    const t = await start(["allow-status.ts"], { yolo: false });
    const call = await t.call("bash", { command });
    expect(call).toMatchObject({ ran: false, permission: { decision: "deny", source: "nobody" } });
    expect(await readFile(join(cwd, "x/kept"), "utf8")).toBe("kept");
  });
});

describe("examples/audit-log.ts", () => {
  it("keeps what happened, without a grant and without what the calls contained", async () => {
    const t = await start(["no-force-push.ts", "audit-log.ts"], { yolo: false, rules: [{ tool: "bash", pattern: "echo *", effect: "allow" }] });
    await t.call("bash", { command: "echo hello" });
    await t.call("bash", { command: "git push --force" });
    await t.call("bash", { command: "whoami" });
    await expect.poll(async () => (await t.command("audit", ""))?.split("\n").length, { timeout: 5_000 }).toBe(3);
    const log = await t.command("audit", "");
    expect(log?.split("\n")).toEqual([
      expect.stringMatching(/^bash: ran, allow by rules, \d+ bytes$/),
      expect.stringMatching(/^bash: stopped by no-force-push, not asked, \d+ bytes$/),
      expect.stringMatching(/^bash: did not run, deny by nobody, \d+ bytes$/),
    ]);
    expect(log).not.toContain("hello");
    expect(t.plugins().find((plugin) => plugin.name === "audit-log")).toMatchObject({ granted: {}, grantedSteer: [] });
  });
});

describe("examples/shout.ts", () => {
  it("answers by its own slot", async () => {
    const t = await start(["shout.ts"]);
    expect((await t.call("shout", { text: "hello" })).text).toBe("HELLO");
  });

  it("is layered by examples/whisper.ts, which was granted nothing", async () => {
    const t = await start(["shout.ts", "whisper.ts"]);
    expect((await t.call("shout", { text: " hello " })).text).toBe("(HELLO)");
    expect(t.slots().find((slot) => slot.name === "shout.render")).toMatchObject({
      owner: "shout",
      capability: [],
      layers: [{ plugin: "whisper", entitled: true }],
    });
  });
});

describe("examples/cache.ts", () => {
  it("answers the second time, and the tool does not run", async () => {
    await program("tool", '#!/bin/sh\necho run >> "$(dirname "$0")/runs"\necho tool 1.2.3\n');
    const t = await start(["cache.ts"]);
    const first = await t.call("bash", { command: "tool --version" });
    const second = await t.call("bash", { command: "tool --version" });
    expect(first).toMatchObject({ ran: true, respondedBy: null });
    expect(second).toMatchObject({ ran: false, isError: false, respondedBy: "cache", text: first.text });
    expect(await readFile(join(cwd, "bin/runs"), "utf8")).toBe("run\n");
  });

  it("answers nothing else, and no failure", async () => {
    await program("broken", "#!/bin/sh\necho failed; exit 1\n");
    const t = await start(["cache.ts"]);
    for (const command of ["broken --version", "broken --version", "echo x", "echo x"]) {
      expect(await t.call("bash", { command })).toMatchObject({ ran: true, respondedBy: null });
    }
  });

  it("does not go past a deny rule", async () => {
    const rules = [{ tool: "bash", pattern: "git *", effect: "deny" }] as const;
    const t = await start(["cache.ts"], { rules, stateFolder: join(cwd, "state") });
    expect(await (await start(["cache.ts"], { stateFolder: join(cwd, "state") })).call("bash", { command: "git --version" })).toMatchObject({
      ran: true,
    });
    const denied = await t.call("bash", { command: "git --version" });
    expect(denied).toMatchObject({ ran: false, isError: true, respondedBy: null, permission: { decision: "deny" } });
    expect(denied.trace).toContainEqual(expect.objectContaining({ plugin: "cache", outcome: "responded" }));
  });
});

describe("examples/house-rules", () => {
  it("is one plugin of two files", async () => {
    const t = await start(["house-rules"]);
    expect((await t.call("bash", { command: "cd x; yarn add left-pad" })).stopped).toEqual({
      plugin: "house-rules",
      by: "judge",
      reason: "This repository uses npm.",
    });
    expect(await t.call("bash", { command: "echo yarn add" })).toMatchObject({ ran: true });
  });

  it("brings a deny rule of its own", async () => {
    const t = await start(["house-rules"]);
    expect(await t.call("bash", { command: "npm publish --dry-run" })).toMatchObject({
      ran: false,
      permission: { decision: "deny", source: "rule" },
    });
  });
});

describe("examples/embed-host.mts", () => {
  it("runs as a program", () => {
    const child = spawnSync(process.execPath, [example("embed-host.mts")], { cwd, encoding: "utf8" });
    expect(child.stderr).toBe("");
    expect(child.stdout.split("\n").filter((line) => !line.startsWith("bash "))).toEqual([
      "echo hello -> hello",
      "echo sk-abcdefghijklmnopqrstuvwxyz -> [redacted]",
      expect.stringMatching(/^git push --force -> Force pushing is not allowed here/),
      "asked about: whoami",
      expect.stringMatching(/^whoami -> .*Not in this program/),
      "",
    ]);
    expect(
      child.stdout
        .split("\n")
        .filter((line) => line.startsWith("bash "))
        .sort(),
    ).toEqual(["bash did not run", "bash did not run", "bash ran", "bash ran"]);
    expect(child.status).toBe(0);
  });
});

describe("examples/complete-branches.ts", () => {
  it("completes branches after its character, those that begin so first, and lists them", async () => {
    for (const name of ["topic/one", "one-more"]) spawnSync("git", ["branch", name], { cwd });
    const subject = spawnSync("git", ["log", "-1", "--format=%s"], { cwd, encoding: "utf8" }).stdout.trim();
    expect(subject).not.toBe("");
    const t = await start(["complete-branches.ts"]);
    await waitUntil(async () => (await t.completionSources()).length === 2);
    const { rows, sources } = await t.complete({ trigger: "#", query: "one" });
    expect(sources).toMatchObject([{ name: "branches", plugin: "complete-branches", failure: null }]);
    expect(rows.map(({ text, description }) => [text, description])).toEqual([
      ["#one-more", subject],
      ["#topic/one", subject],
    ]);
    expect((await t.command("branches", ""))?.split("\n")).toContain(`topic/one  ${subject}`);
  });

  it("offers nothing where it was not granted to run git, and says so", async () => {
    const t = await testHost({ cwd, plugins: [example("complete-branches.ts")], grant: async () => undefined });
    await waitUntil(async () => (await t.completionSources()).length === 2);
    const { rows, sources } = await t.complete({ trigger: "#", query: "" });
    expect(rows).toEqual([]);
    expect(sources).toMatchObject([{ failure: { code: "not_granted" } }]);
    await expect(t.command("branches", "")).rejects.toMatchObject({ code: "not_granted" });
    await t.close();
  });
});

describe("examples/demo.mjs", () => {
  it("shows what it says, fits 80 columns, and leaves nothing behind", async () => {
    const temp = join(cwd, "temp");
    await mkdir(temp);
    const child = spawnSync(process.execPath, [example("demo.mjs")], { cwd, encoding: "utf8", env: { ...process.env, TMPDIR: temp } });
    expect(child.stdout).toContain("10 of 10 calls went as expected.");
    expect(child.stdout).not.toContain("WRONG");
    expect(child.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(child.stdout).not.toContain("\u001b");
    expect(spawnSync("ls", ["-A", temp], { encoding: "utf8" }).stdout).toBe("");
    expect(child.status).toBe(0);
  });
});
