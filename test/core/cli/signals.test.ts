import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ended, isAlive, jsonOf, PROBE, type Scratch, scratch, until } from "./run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s cancels the call, keeps its partial output, leaves no process and exits with %i", async (signal, code) => {
    const command = "echo first; sleep 300 & echo $! > pid; echo $$ >> pid; wait";
    const child = here.start(["call", "bash", JSON.stringify({ command }), "--yolo", "--json"]);
    const end = ended(child);
    const pids = async () => (await readFile(join(here.folder, "pid"), "utf8").catch(() => "")).trim().split("\n").map(Number);
    await until(async () => (await pids()).length === 2, "both processes");
    child.kill(signal);
    const { code: exit, stdout } = await end;
    expect(exit).toBe(code);
    expect(jsonOf(stdout)).toMatchObject({ ran: true, code: "cancelled" });
    expect(String(jsonOf(stdout).text)).toContain("first");
    for (const pid of await pids()) await until(() => !isAlive(pid), `the end of ${pid}`);
  });

  it("sent twice, as a terminal and a package runner do, changes nothing", async () => {
    const probe = await here.write("project/probe.ts", PROBE);
    const child = here.start(["call", "wait", "{}", "--plugin", probe, "--json"]);
    const end = ended(child);
    await until(async () => (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").catch(() => "")).trim() !== "", "a runner");
    child.kill("SIGINT");
    child.kill("SIGINT");
    const { code, stdout } = await end;
    expect(code).toBe(130);
    expect(jsonOf(stdout)).toMatchObject({ tool: "wait", isError: true });
  });

  it("ends a log that is followed", async () => {
    const child = here.start(["logs", "--follow", "--json"]);
    const end = ended(child);
    await until(async () => /MainThread|node/.test(await readFile(`/proc/${child.pid}/comm`, "utf8").catch(() => "")), "its start");
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGTERM");
    expect((await end).code).toBe(143);
  });
});
