import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { type Bench, bench } from "../../../support/capabilities.ts";
import { isAlive, waitUntil } from "../../../support/wait-until.ts";

const Result = z.object({
  text: z.string(),
  droppedBytes: z.number(),
  cutAt: z.optional(z.number()),
  exitCode: z.nullable(z.number()),
  signal: z.nullable(z.string()),
  ended: z.enum(["exit", "timeout", "cancelled", "output"]),
  leftRunning: z.boolean(),
});

let b: Bench;
beforeEach(async () => {
  b = await bench();
});
afterEach(() => b.close());

const exec = async (request: Record<string, unknown>, call = b.call) => Result.parse(await call("run.exec", request));
const bash = (command: string, more: Record<string, unknown> = {}, call = b.call) => exec({ argv: ["bash", "-c", command], ...more }, call);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "resolved",
    (error: unknown) => (error as { code: string }).code,
  );
/** The number that a command wrote about one of its processes. */
const pidIn = async (name: string) => {
  const path = join(b.folder, name);
  await waitUntil(async () => (await readFile(path, "utf8").catch(() => "")).endsWith("\n"));
  return Number(await readFile(path, "utf8"));
};

describe("run.exec", () => {
  it("gives output and exit code", async () => {
    expect(await bash("echo out; echo err >&2; exit 3")).toMatchObject({
      exitCode: 3,
      signal: null,
      ended: "exit",
      leftRunning: false,
      droppedBytes: 0,
    });
    expect((await bash("echo one; sleep 0.05; echo two >&2; sleep 0.05; echo three")).text).toBe("one\ntwo\nthree\n");
  });

  it("names the signal that ended the program, and leaves the shell's own 128 and more alone", async () => {
    expect(await bash("kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(await bash("kill -TERM $$")).toMatchObject({ exitCode: null, signal: "SIGTERM" });
    expect(await bash("bash -c 'kill -9 $$'; exit $?")).toMatchObject({ exitCode: 137, signal: null });
    expect(await bash("exit 255")).toMatchObject({ exitCode: 255 });
  });

  it("starts a program directly, so that no shell reads its arguments", async () => {
    expect((await exec({ argv: ["printf", "%s|", "$HOME", "a b", "; echo x"] })).text).toBe("$HOME|a b|; echo x|");
  });

  it("lets a program open its own output by name", async () => {
    const { text } = await bash("echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/stderr >/dev/null");
    expect(text.split("\n").sort()).toEqual(["", "a", "b", "c"]);
  });

  it("gives standard input where there is some, and the end of it where there is none", async () => {
    expect((await exec({ argv: ["cat"], stdin: "häßlich" })).text).toBe("häßlich");
    expect(await bash("cat; read -r x; echo got:$x")).toMatchObject({ text: "got:\n", exitCode: 0 });
    expect(await bash("true", { stdin: "x".repeat(4_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it("has no terminal to ask for a password on", async () => {
    expect(await bash("cat < /dev/tty")).toMatchObject({ exitCode: 1, ended: "exit" });
    expect((await bash('ps -o sid=,pid= -p $$ | tr -d " \\n"; echo; echo $$')).text).toMatch(/^(\d+)\1\n\1\n$/);
  });

  it("says that the folder is missing, and works again afterwards", async () => {
    await mkdir(join(b.folder, "w"));
    expect((await bash("pwd", { cwd: "w" })).text).toBe(`${b.folder}/w\n`);
    await rmdir(join(b.folder, "w"));
    await expect(bash("pwd", { cwd: "w" })).rejects.toMatchObject({ code: "no_folder", seen: `${b.folder}/w` });
    await writeFile(join(b.folder, "file"), "");
    expect(await code(bash("pwd", { cwd: "file" }))).toBe("no_folder");
    expect((await bash("echo hi")).text).toBe("hi\n");
  });

  it("says that there is no such program", async () => {
    await expect(exec({ argv: ["no-such-program-here"] })).rejects.toMatchObject({
      code: "run_failed",
      seen: "no-such-program-here: no such program",
    });
  });

  it("keeps no file open", async () => {
    const open = async () => (await readdir("/proc/self/fd").catch(() => [])).length;
    await bash("true");
    const before = await open();
    for (let round = 0; round < 40; round++)
      await Promise.all([bash("echo"), exec({ argv: ["no-such-program-here"] }).catch(() => {}), bash("true", { cwd: "nowhere" }).catch(() => {})]);
    // Pipes are made some at a time.
    expect(await open()).toBeLessThan(before + 40);
  });

  it("refuses what is no request", async () => {
    for (const request of [
      undefined,
      {},
      { argv: [] },
      { argv: [""] },
      { argv: ["a\0b"] },
      { argv: "ls" },
      { argv: ["ls"], env: { "A=B": "1" } },
      { argv: ["ls"], timeoutMs: 0 },
    ]) {
      expect(await code(b.call("run.exec", request))).toBe("wrong_argument");
    }
  });
});

describe("run.exec output", () => {
  it("keeps a character whole whose bytes come apart, with another stream in between", async () => {
    const { text } = await bash("printf '\\xf0\\x9f'; sleep 0.1; printf '\\xc3\\xa9' >&2; sleep 0.1; printf '\\x98\\x80b'");
    expect(text).toBe("é😀b");
  });

  it("merges both streams in the order in which they come", async () => {
    const { text } = await bash("for i in 1 2 3; do echo out $i; sleep 0.05; echo err $i >&2; sleep 0.05; done");
    expect(text).toBe("out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
  });

  it("replaces what is no UTF-8, also at the end", async () => {
    expect((await bash("printf 'a\\xff\\xfeb\\xf0\\x9f'")).text).toBe("a\ufffd\ufffdb\ufffd");
    expect((await bash("printf 'a\\0b'")).text).toBe("a\0b");
    expect((await bash("head -c 100000 /dev/urandom")).text.length).toBeGreaterThan(50_000);
  });

  it("keeps head and tail at character borders, and counts what is left out", async () => {
    const { text, droppedBytes, cutAt } = await exec({
      argv: ["bash", "-c", `printf 'a%.0s' $(seq 49); printf '😀'; printf 'b%.0s' $(seq 100); printf '😀'; printf 'c%.0s' $(seq 48)`],
      maxOutputBytes: 100,
    });
    expect(text).toBe("a".repeat(49) + "c".repeat(48));
    expect(cutAt).toBe(49);
    expect(droppedBytes).toBe(4 + 100 + 4);
  });

  it("ends what prints without an end, and holds no more than was asked for", async () => {
    const before = process.memoryUsage().rss;
    const result = await bash("yes | cat", { maxOutputBytes: 50_000 });
    expect(result).toMatchObject({ ended: "output", leftRunning: false });
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(50_000);
    expect(result.droppedBytes).toBeGreaterThan(200_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it("holds a line of 100 MB within its limit", async () => {
    const before = process.memoryUsage().rss;
    const result = await bash("head -c 100000000 /dev/zero | tr '\\0' x", { maxOutputBytes: 1_000_000 });
    expect(result).toMatchObject({ ended: "exit", exitCode: 0, droppedBytes: 99_000_000 });
    expect(result.text).toBe("x".repeat(1_000_000));
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it("reads all that a program printed right before it ended", async () => {
    for (let round = 0; round < 20; round++) expect((await bash("seq 1 12000; exit 1")).text.length).toBe(60_894);
  });

  it("shows of very much output the beginning, whole lines only, and says so", async () => {
    let shown = "";
    const call = b.as({ call: { live: (text) => (shown += text) } });
    await bash("seq 1000000 3000000", { live: true }, call);
    expect(shown.length).toBeGreaterThan(8_000_000);
    expect(shown.length).toBeLessThan(8_500_000);
    expect(shown).toMatch(/\n\d{7}\n\n\[more output is not shown while it runs\]\n$/);
  });

  it("shows output while the program runs, whole characters only", async () => {
    const shown: string[] = [];
    const call = b.as({ call: { live: (text) => shown.push(text) } });
    const { text } = await bash("printf 'one\\xf0\\x9f'; sleep 0.1; printf '\\x98\\x80two'", { live: true }, call);
    expect(shown.join("")).toBe(text);
    expect(shown.length).toBeGreaterThan(1);
    shown.length = 0;
    await bash("echo quiet", {}, call);
    expect(shown).toEqual([]);
  });
});

describe("run.exec and what a program leaves behind", () => {
  it.each([
    ["holds the pipe", "sleep 30 & echo $! > pid; echo started"],
    ["holds standard error alone", "sleep 30 </dev/null >/dev/null & echo $! > pid; echo started"],
    ["left the group", "setsid sleep 30 & echo $! > pid; echo started"],
    [
      "left the group, and its parent is gone",
      "(setsid bash -c 'echo $$ > pid; exec sleep 30' </dev/null >/dev/null 2>&1 &) ; while ! [ -s pid ]; do sleep 0.01; done; echo started",
    ],
  ])("returns without waiting for one that %s, and ends it when the host closes", async (_what, command) => {
    const result = await bash(command);
    expect(result).toMatchObject({ text: "started\n", exitCode: 0, ended: "exit", leftRunning: true });
    const pid = await pidIn("pid");
    expect(await isAlive(pid)).toBe(true);
    await b.capabilities.close();
    expect(await isAlive(pid)).toBe(false);
  });

  it("lets a server of the session run on and print, and ends it with the session", async () => {
    const call = b.as({ call: { toolId: "t1" } });
    const result = await bash("(while :; do echo line; echo > alive; sleep 0.02; done) & echo $! > pid", { scope: "session" }, call);
    expect(result.leftRunning).toBe(true);
    await b.capabilities.endCall("t1");
    const pid = await pidIn("pid");
    await writeFile(join(b.folder, "alive"), "");
    await waitUntil(async () => (await readFile(join(b.folder, "alive"), "utf8")) === "\n");
    expect(await isAlive(pid)).toBe(true);
    await b.capabilities.endSession("session");
    expect(await isAlive(pid)).toBe(false);
  });

  it("ends what a task left behind with its call", async () => {
    const call = b.as({ call: { toolId: "t1" } });
    expect((await bash("sleep 30 & echo $! > pid", {}, call)).leftRunning).toBe(true);
    await b.capabilities.endCall("t1");
    expect(await isAlive(await pidIn("pid"))).toBe(false);
  });

  it("does not take what is about to end for left running", async () => {
    const left = [];
    for (let round = 0; round < 5; round++) left.push((await bash("(exec >&- 2>&-; sleep 0.02) & echo x")).leftRunning);
    // On a busy machine one may still be there.
    expect(left).toContain(false);
  });
});

describe("run.exec and its end before its time", () => {
  it.each([
    ["ignores TERM", "trap '' TERM; sleep 30; echo end"],
    ["has a child that ignores TERM", "bash -c 'trap \"\" TERM; sleep 30' | cat; echo end"],
    ["has a child with something to say", "(sleep 30; echo late) & wait; echo end"],
    ["left its group", "setsid bash -c 'trap \"\" TERM; sleep 30; echo late' & wait; echo end"],
  ])("kills the whole tree of one that %s", async (_what, command) => {
    const shown: string[] = [];
    const call = b.as({ call: { live: (text) => shown.push(text) } });
    // A number that no other process sleeps for.
    const seconds = 30 + Math.random();
    const result = await bash(`echo begin; echo $$ > pid; ${command.replace("30", String(seconds))}`, { timeoutMs: 300, live: true }, call);
    expect(result).toMatchObject({ text: "begin\n", ended: "timeout", leftRunning: false });
    expect(await isAlive(await pidIn("pid"))).toBe(false);
    expect((await bash(`ps -Ao args | grep -c '[s]leep ${seconds}'`)).text).toBe("0\n");
    expect(shown.join("")).toBe("begin\n");
  });

  it("gives a program the time to clean up", async () => {
    const result = await bash("trap 'echo cleaned > done; exit 0' TERM; echo begin; while :; do sleep 0.01; done", { timeoutMs: 300 });
    expect(result).toMatchObject({ ended: "timeout", text: "begin\n" });
    expect(await readFile(join(b.folder, "done"), "utf8")).toBe("cleaned\n");
  });

  it("ends with the call's signal, and keeps what it printed", async () => {
    const abort = new AbortController();
    const shown: string[] = [];
    const call = b.as({ call: { signal: abort.signal, live: (text) => shown.push(text) } });
    const running = bash("echo $$ > pid; echo partial; sleep 30; echo end", { live: true }, call);
    await waitUntil(() => shown.join("") === "partial\n");
    abort.abort();
    expect(await running).toMatchObject({ text: "partial\n", ended: "cancelled", signal: "SIGTERM", leftRunning: false });
    expect(await isAlive(await pidIn("pid"))).toBe(false);
  });

  it("starts nothing for a call that was cancelled", async () => {
    const call = b.as({ call: { signal: AbortSignal.abort() } });
    expect(await bash("echo > ran", {}, call)).toMatchObject({ ended: "cancelled", text: "", exitCode: null });
    expect(await code(readFile(join(b.folder, "ran")))).toBe("ENOENT");
  });

  it("ends with a call that is over, also one that was only just asked for", async () => {
    const call = b.as({ call: { toolId: "t1" } });
    const running = bash("sleep 30", { scope: "session" }, call);
    await b.capabilities.endCall("t1");
    expect(await running).toMatchObject({ ended: "cancelled" });
  });
});

describe("run.start, run.wait, run.tail, run.stop, run.list", () => {
  it("runs a job that is looked at and stopped", async () => {
    const id = await b.call("run.start", { argv: ["bash", "-c", "seq 1 50; sleep 30"], name: "numbers" });
    await waitUntil(async () => (await b.call("run.tail", id, 1)) === "50\n");
    expect(await b.call("run.tail", id, 2)).toBe("49\n50\n");
    expect(await b.call("run.tail", id)).toBe(`${Array.from({ length: 20 }, (_, index) => 31 + index).join("\n")}\n`);
    expect(await b.call("run.list")).toEqual([{ id, name: "numbers", argv: ["bash", "-c", "seq 1 50; sleep 30"], running: true }]);
    expect(await b.call("run.wait", id, { timeoutMs: 10 })).toBeUndefined();
    await b.call("run.stop", id);
    expect(await b.call("run.wait", id)).toMatchObject({ ended: "cancelled", signal: "SIGTERM" });
    expect(await b.call("run.list")).toMatchObject([{ id, running: false }]);
  });

  it("shows a plugin its own jobs alone", async () => {
    const id = await b.call("run.start", { argv: ["sleep", "30"] });
    const other = b.as({ plugin: "other" });
    expect(await other("run.list")).toEqual([]);
    for (const method of ["run.wait", "run.tail", "run.stop"]) expect(await code(other(method, id))).toBe("unknown_job");
    expect(await code(b.call("run.wait", 4_711))).toBe("unknown_job");
  });

  it("ends task jobs with their call, plugin jobs with the plugin, session jobs with the session", async () => {
    const call = b.as({ call: { toolId: "t1", sessionId: "s1" } });
    const start = async (scope?: string) => call("run.start", { argv: ["sleep", "30"], ...(scope === undefined ? {} : { scope }) });
    const [task, plugin, session] = [await start(), await start("plugin"), await start("session")];
    const running = async () =>
      z
        .array(z.object({ id: z.number(), running: z.boolean() }))
        .parse(await call("run.list"))
        .filter((job) => job.running)
        .map((job) => job.id);
    expect(await running()).toEqual([task, plugin, session]);
    await b.capabilities.endCall("t1");
    expect(await running()).toEqual([plugin, session]);
    await b.capabilities.endPlugin("probe");
    expect(await running()).toEqual([session]);
    await b.capabilities.endSession("other");
    expect(await running()).toEqual([session]);
    await b.capabilities.endSession("s1");
    expect(await running()).toEqual([]);
  });

  it("has no task or session outside a call", async () => {
    for (const scope of ["task", "session"]) expect(await code(b.call("run.start", { argv: ["true"], scope }))).toBe("not_here");
  });

  it("limits how many run", async () => {
    const started = [];
    for (let job = 0; job < 64; job++) started.push(b.call("run.start", { argv: ["sleep", "30"] }));
    await Promise.all(started);
    expect(await code(b.call("run.start", { argv: ["true"] }))).toBe("too_many_requests");
    expect(await b.as({ plugin: "other" })("run.exec", { argv: ["true"] })).toMatchObject({ exitCode: 0 });
  });

  it("throws at once where a job cannot be started, and forgets it", async () => {
    expect(await code(b.call("run.start", { argv: ["no-such-program-here"] }))).toBe("run_failed");
    expect(await code(b.call("run.start", { argv: ["true"], cwd: "nowhere" }))).toBe("no_folder");
    expect(await b.call("run.list")).toEqual([]);
  });
});

describe("partial()", () => {
  it("gives what the jobs of a call printed so far", async () => {
    const call = b.as({ call: { toolId: "t1" } });
    await bash("echo first", {}, call);
    const running = bash("seq 1 1000; sleep 30", { maxOutputBytes: 100 }, call);
    await waitUntil(() => b.capabilities.partial("t1")?.text.endsWith("1000\n") === true);
    const partial = b.capabilities.partial("t1");
    expect(partial?.text.startsWith("first\n1\n2\n")).toBe(true);
    // Three bytes of a line that the cut went through go with it.
    expect(partial?.droppedBytes).toBe(3_893 - 100 + 3);
    expect(b.capabilities.partial("t1", "other")).toBeUndefined();
    expect(b.capabilities.partial("t2")).toBeUndefined();
    await b.capabilities.endCall("t1");
    await running;
    expect(b.capabilities.partial("t1")).toBeUndefined();
  });
});

describe("run grants", () => {
  it("asks for scoped grants whether the command is allowed, and lets them set harmless variables alone", async () => {
    const asked: unknown[] = [];
    const scoped = await bench({
      commandAllowed: async (argv, scopes) => {
        asked.push([argv, scopes]);
        return argv[0] === "echo";
      },
    });
    try {
      const call = scoped.as({ granted: { run: ["echo *"] } });
      expect(await call("run.exec", { argv: ["echo", "a"], env: { LC_ALL: "C" } })).toMatchObject({ text: "a\n" });
      await expect(call("run.exec", { argv: ["ls"] })).rejects.toMatchObject({
        code: "not_granted",
        plugin: "probe",
        seen: "run of ls, asked for by probe",
      });
      for (const name of ["PATH", "LD_PRELOAD", "BASH_ENV", "GIT_SSH_COMMAND", "HOME"]) {
        expect(await code(call("run.start", { argv: ["echo"], env: { [name]: "x" } }))).toBe("not_granted");
      }
      expect(asked).toEqual([
        [["echo", "a"], ["echo *"]],
        [["ls"], ["echo *"]],
      ]);
    } finally {
      await scoped.close();
    }
  });
});
