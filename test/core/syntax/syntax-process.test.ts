import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { createSyntaxProcess, type SyntaxProcess } from "../../../core/syntax/syntax-process.ts";

const processes: SyntaxProcess[] = [];
function create(): SyntaxProcess {
  const made = createSyntaxProcess("understand");
  processes.push(made);
  return made;
}
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.close()));
});

const ls = { kind: "understand", cwd: "/", env: {}, folders: [], plainNames: false, text: "ls", budgetMs: 50 };

describe("createSyntaxProcess()", () => {
  it("starts nothing before it is asked", async () => {
    const parser = create();
    expect(parser.pid()).toBeUndefined();
    expect(await parser.ask(ls, 10_000)).toMatchObject({ frame: { unparseable: false } });
    expect(parser.pid()).toBeTypeOf("number");
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
});
