import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SyntaxKind } from "../../../core/syntax/start-process.ts";
import { createSyntaxProcess, type SyntaxProcess, type SyntaxProcessOptions } from "../../../core/syntax/syntax-process.ts";

const processes: SyntaxProcess[] = [];
function create(kind: SyntaxKind = "understand", options?: SyntaxProcessOptions): SyntaxProcess {
  const made = createSyntaxProcess(kind, options);
  processes.push(made);
  return made;
}
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.close()));
});

const ls = { kind: "understand", cwd: "/", env: {}, folders: [], plainNames: false, text: "ls", budgetMs: 50 };

const query = (language: string, text: string) => ({
  kind: "query",
  language,
  query: "(_) @x",
  mask: null,
  mend: null,
  depth: null,
  maxCaptures: 10,
  texts: { max: 10, until: null, without: [] },
  budgetMs: 60_000,
  text,
});
/** Long enough to go to a thread alone, and to be at work for a while. */
const long = query("json", `[${"1,".repeat(30_000)}1]`);
/** Threads that have had half a second of the processor, which is more than it takes to start one. */
function threadsAtWork(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).filter((task) => {
    const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return Number(fields[11]) + Number(fields[12]) > 50;
  }).length;
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

describe("createSyntaxProcess()", () => {
  it("starts nothing before it is asked", async () => {
    const parser = create();
    expect(parser.pid()).toBeUndefined();
    expect(await parser.ask(ls, 10_000)).toMatchObject({ frame: { unparseable: false } });
    expect(parser.pid()).toBeTypeOf("number");
  });

  it("starts before it is asked where it is told to, once", async () => {
    const parser = create("query", { threads: 2 });
    parser.warm();
    const pid = parser.pid();
    parser.warm();
    expect(pid).toBeTypeOf("number");
    expect(await parser.ask(query("json", "[1]"), 20_000)).toHaveProperty("frame");
    expect(parser.pid()).toBe(pid);
    await parser.close();
    parser.warm();
    expect(parser.pid()).toBeUndefined();
  });

  it("starts another where the first was killed", async () => {
    const parser = create();
    await parser.ask(ls, 10_000);
    const first = parser.pid()!;
    process.kill(first, "SIGKILL");
    const answers = [await parser.ask(ls, 10_000), await parser.ask(ls, 10_000)];
    expect(answers.at(-1)).toMatchObject({ frame: { unparseable: false } });
    expect(parser.pid()).not.toBe(first);
  });

  it("ends a process that does not answer in time, and goes on with another", async () => {
    const parser = create();
    await parser.ask(ls, 10_000);
    const first = parser.pid()!;
    const stuck = { kind: "understand", cwd: "/", env: {}, folders: [], plainNames: false, text: `${"a|".repeat(4_000)}a`, budgetMs: 60_000 };
    const [answer, next] = await Promise.all([parser.ask(stuck, 20), parser.ask(ls, 10_000)]);
    expect(answer).toHaveProperty("failed");
    expect(next).toMatchObject({ frame: { unparseable: false } });
    expect(parser.pid()).not.toBe(first);
  });

  it.runIf(process.platform === "linux")("ends with a host that was killed, whatever its threads are at", async () => {
    const source = new URL("../../../core/syntax/syntax-process.ts", import.meta.url).href;
    const program = `const { createSyntaxProcess } = await import(${JSON.stringify(source)});
      const parser = createSyntaxProcess("query", { threads: 2 });
      const asked = ${JSON.stringify(query("json", ""))};
      void parser.ask({ ...asked, text: "[" + "1,".repeat(3_000_000) + "1]" }, 600_000);
      void parser.ask({ ...asked, text: "a".repeat(60) + "b".repeat(1_000), mask: "(a+)+$" }, 600_000);
      console.log(parser.pid());
      setInterval(() => {}, 1_000);`;
    const host = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "ignore"] });
    const [line] = (await once(host.stdout, "data")) as [Buffer];
    const pid = Number(line);
    await vi.waitFor(() => expect(threadsAtWork(pid)).toBe(2), 30_000);
    host.kill("SIGKILL");
    await once(host, "exit");
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 5_000);
  });

  it("fails what is asked of a process that cannot be started", async () => {
    const parser = create("understand", { execPath: "/no/such/node" });
    expect(await Promise.all([parser.ask(ls, 10_000), parser.ask(ls, 10_000)])).toEqual(Array(2).fill({ failed: expect.any(String) }));
    expect(parser.pid()).toBeUndefined();
  });

  it("survives what aborts the runtime", async () => {
    const parser = create();
    const answer = await parser.ask(
      { kind: "understand", cwd: "/", env: {}, folders: [], plainNames: false, text: `${"a|".repeat(16_000)}a`, budgetMs: 60_000 },
      60_000,
    );
    expect(answer).toSatisfy((reply: object) => "failed" in reply || "frame" in reply);
    expect(await parser.ask(ls, 10_000)).toMatchObject({ frame: { unparseable: false } });
  });

  it("leaves no process behind once closed", async () => {
    const parser = create();
    await parser.ask(ls, 10_000);
    const pid = parser.pid()!;
    await parser.close();
    expect(() => process.kill(pid, 0)).toThrow();
    expect(await parser.ask(ls, 10_000)).toHaveProperty("failed");
  });

  it.runIf(process.platform === "linux")("gives the process no environment and the permission model", async () => {
    const parser = create();
    await parser.ask(ls, 10_000);
    const of = (file: string) =>
      readFileSync(`/proc/${parser.pid()}/${file}`, "utf8")
        .split("\0")
        .filter((part) => part !== "");
    expect(of("environ").filter((variable) => !variable.startsWith("NODE_CHANNEL_"))).toEqual([]);
    expect(of("cmdline")).toEqual(expect.arrayContaining(["--liftoff-only", "--permission"]));
    expect(of("cmdline").filter((argument) => /^--allow/.test(argument) && !argument.startsWith("--allow-fs-read="))).toEqual([]);
  });

  it.runIf(process.platform === "linux")("is at several texts at once, in threads that may read what the process may", async () => {
    const parser = create("query", { threads: 2 });
    const { frame } = (await parser.ask(query("json", "[1]"), 20_000)) as { frame: { captures: string } };
    expect(JSON.parse(frame.captures).names).toEqual(["x"]);
    const before = readdirSync(`/proc/${parser.pid()}/task`).length;
    const answers = await Promise.all([long, { ...long, language: "javascript" }, long].map((each) => parser.ask(each, 60_000)));
    expect(answers).toEqual(Array(3).fill({ frame: expect.objectContaining({ truncated: true, wrong: 0 }) }));
    expect(readdirSync(`/proc/${parser.pid()}/task`).length).toBeGreaterThan(before);
    const cmdline = readFileSync(`/proc/${parser.pid()}/cmdline`, "utf8").split("\0");
    expect(cmdline).toEqual(expect.arrayContaining(["--permission", "--allow-worker", "--liftoff-only"]));
    expect(cmdline.filter((argument) => /^--allow-(?!fs-read=|worker$)/.test(argument))).toEqual([]);
  });

  it("asks again what another thread was at, where one did not answer in time", async () => {
    const parser = create("query", { threads: 2 });
    await Promise.all([long, long].map((each) => parser.ask(each, 60_000)));
    const first = parser.pid();
    const [other, late, behind] = await Promise.all([parser.ask(long, 60_000), parser.ask(long, 5), parser.ask(long, 60_000)]);
    expect(late).toHaveProperty("failed");
    expect([other, behind]).toEqual(Array(2).fill({ frame: expect.objectContaining({ truncated: true }) }));
    expect(parser.pid()).not.toBe(first);
  });

  it("answers others while a thread is stuck in what no budget ends", async () => {
    const parser = create("query", { threads: 2 });
    const stuck = parser.ask({ ...query("json", `${"a".repeat(60)}b`), mask: "(a+)+$" }, 2_500);
    const ended: string[] = [];
    const first = stuck.then((reply) => {
      ended.push("failed" in reply ? "stuck" : "answered");
    });
    await Promise.all([first, parser.ask(long, 60_000).then((reply) => ended.push("frame" in reply ? "other" : "lost"))]);
    expect(ended).toEqual(["other", "stuck"]);
  });

  it("fails nothing where a process that was at two texts is killed from outside", async () => {
    const parser = create("query", { threads: 2 });
    await Promise.all([long, long].map((each) => parser.ask(each, 60_000)));
    const answers = [long, long].map((each) => parser.ask(each, 60_000));
    const first = parser.pid()!;
    await new Promise((resolve) => setImmediate(resolve));
    process.kill(first, "SIGKILL");
    expect(await Promise.all(answers)).toEqual(Array(2).fill({ frame: expect.objectContaining({ truncated: true }) }));
    expect(parser.pid()).not.toBe(first);
  });

  it("tells a thread a query once, whatever came between, and takes no number for another", async () => {
    const parser = create("query", { threads: 1 });
    for (let round = 0; round < 2; round++) {
      for (let at = 0; at < 70; at++) {
        const { frame } = (await parser.ask({ ...query("json", "[1]"), query: `(number) @n${at}` }, 20_000)) as { frame: { captures: string } };
        expect(JSON.parse(frame.captures).names).toEqual([`n${at}`]);
      }
    }
  });
});
