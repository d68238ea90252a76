import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ended, isAlive, jsonOf, type Scratch, scratch, until } from "./run-cli.ts";

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

  it.runIf(process.platform === "linux")("SIGKILL leaves no process either, not even one in the background", async () => {
    const command = "sleep 300 & echo $! > pid; echo $$ >> pid; wait";
    const child = here.start(["call", "bash", JSON.stringify({ command }), "--yolo"]);
    const end = ended(child);
    const pids = async () => (await readFile(join(here.folder, "pid"), "utf8").catch(() => "")).trim().split("\n").map(Number);
    await until(async () => (await pids()).length === 2, "both processes");
    child.kill("SIGKILL");
    await end;
    for (const pid of await pids()) await until(() => !isAlive(pid), `the end of ${pid}`);
  });

  it("sent twice, as a terminal and a package runner do, changes nothing", async () => {
    const child = here.start(["call", "bash", '{"command":"touch started; sleep 300"}', "--yolo", "--json"]);
    const end = ended(child);
    await until(() => existsSync(join(here.folder, "started")), "the start of the command");
    child.kill("SIGINT");
    child.kill("SIGINT");
    const { code, stdout } = await end;
    expect(code).toBe(130);
    expect(jsonOf(stdout)).toMatchObject({ tool: "bash", ran: true, isError: true });
  });

  it("ends a log that is followed", async () => {
    const entry = { at: new Date().toISOString(), level: "info", plugin: null, text: "first" };
    const log = await here.write("home/state/logs/mortise.jsonl", `${JSON.stringify(entry)}\n`);
    const child = here.start(["logs", "--follow", "--json"]);
    let shown = "";
    child.stdout.on("data", (bytes) => {
      shown += String(bytes);
    });
    const end = ended(child);
    await until(() => shown.includes("first"), "what is there");
    await appendFile(log, `${JSON.stringify({ ...entry, text: "second" })}\n`);
    await until(() => shown.includes("second"), "what is added");
    child.kill("SIGTERM");
    expect((await end).code).toBe(143);
    expect(shown.trim().split("\n")).toHaveLength(2);
  });
});
