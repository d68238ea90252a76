import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAlive, waitUntil } from "../../support/wait-until.ts";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
afterAll(() => host.close());

const bash = (command: string, more: Record<string, unknown> = {}, request = {}) => host.call("bash", { command, ...more }, request);

describe("bash", () => {
  it("runs a command in the call's folder", async () => {
    expect(await bash("pwd; echo err >&2")).toMatchObject({
      ran: true,
      isError: false,
      text: `${host.folder}\nerr`,
      data: { exitCode: 0, signal: null, ended: "exit" },
    });
  });

  it("tells exit codes and signals exactly", async () => {
    expect(await bash("echo no; exit 3")).toMatchObject({ isError: true, text: "no\nExit code: 3" });
    expect(await bash("kill -9 $$")).toMatchObject({ isError: true, text: "Signal: SIGKILL" });
    expect(await bash("exit 130")).toMatchObject({ isError: true, text: "Exit code: 130" });
    expect(await bash("true")).toMatchObject({ isError: false, text: "Exit code: 0" });
  });

  it("runs what was approved, without reading cd as a folder of its own", async () => {
    expect((await bash('D=/; cd $D && pwd; cd "$HOME/.." 2>/dev/null; echo "$0"')).text).toBe("/\nbash");
  });

  it("runs in another folder, and says when there is none", async () => {
    expect((await bash("pwd", { workdir: "/" })).text).toBe("/");
    const missing = await bash("pwd", { workdir: "gone" });
    expect(missing.isError).toBe(true);
    expect(missing.text).toContain(join(host.folder, "gone"));
    expect((await bash("echo on")).text).toBe("on");
  });

  it("keeps the last lines", async () => {
    expect((await bash("seq 1 100", { tail: 2 })).text).toBe("99\n100");
    expect((await bash("seq 1 100; exit 1", { tail: 1 })).text).toBe("100\nExit code: 1");
  });

  it("answers with what it has at its timeout, and leaves nothing behind", async () => {
    const result = await bash("echo $$ > timed; echo begun; sleep 300; echo end", { timeout: 1 });
    expect(result).toMatchObject({ isError: true, text: "begun\n[timed out after 1 s; the output above is partial]" });
    expect(await isAlive(Number(await readFile(join(host.folder, "timed"), "utf8")))).toBe(false);
  });

  it("answers with what it has when the call is cancelled", async () => {
    const abort = new AbortController();
    const shown: string[] = [];
    const running = bash(
      "echo $$ > cancelled; seq 1 5; sleep 300",
      { tail: 2 },
      { signal: abort.signal, onOutput: (text: string) => shown.push(text) },
    );
    await waitUntil(() => shown.join("").includes("5"));
    abort.abort();
    expect(await running).toMatchObject({ isError: true, code: "cancelled", text: "4\n5\n[cancelled; the output above is partial]" });
    expect(await isAlive(Number(await readFile(join(host.folder, "cancelled"), "utf8")))).toBe(false);
  });

  it("answers with what it has at the call's own deadline", async () => {
    const result = await bash("echo begun; sleep 300", {}, { timeoutMs: 2_000 });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/^begun\n\[timed out after [\d.]+ s; the output above is partial\]$/);
  });

  it("returns when a server is left running, which goes on for later calls", async () => {
    const started = await bash("(while :; do date > beat; sleep 0.02; done) & echo $! > server; echo started");
    expect(started).toMatchObject({ isError: false, text: "started\n[a process it started is still running]" });
    await bash("rm beat");
    await waitUntil(async () => (await bash("cat beat")).isError === false);
    await bash("kill $(cat server)");
  });

  it("ends what prints without an end", async () => {
    const result = await bash("yes");
    expect(result.isError).toBe(true);
    expect(result.text).toContain("printed without an end");
    expect(Buffer.byteLength(result.text)).toBeLessThan(60_000);
  });

  it("gives the whole of a long output to code that asks for it, with what is missing named once", async () => {
    const { text } = await bash("seq 1 2000000", {}, { outputMode: "full" });
    expect(text.length).toBeGreaterThan(7_900_000);
    expect(text.match(/left out/g)).toHaveLength(1);
    expect(text.endsWith("2000000")).toBe(true);
  });

  it("shows output while it runs", async () => {
    const shown: string[] = [];
    await bash("echo one; sleep 0.1; echo two", {}, { onOutput: (text: string) => shown.push(text) });
    expect(shown.join("")).toBe("one\ntwo\n");
  });

  it("shows what a terminal would", async () => {
    expect((await bash("printf '1%%\\r2%%\\r100%%\\rdone\\n'; printf '\\033[31mred\\033[0m\\r\\n'")).text).toBe("done\nred");
  });

  it("takes no input that it does not know", async () => {
    for (const input of [{}, { command: "" }, { command: "true", timeout: 0 }, { command: "true", timeout: 601 }, { command: "true", tail: 0 }]) {
      expect(await host.call("bash", input)).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    }
  });

  it("is asked about by the commands it runs", async () => {
    const guarded = await testHost({ answer: "deny", rules: [{ tool: "bash", pattern: "echo *", effect: "allow" }] });
    try {
      await writeFile(join(guarded.folder, "kept"), "");
      expect(await guarded.call("bash", { command: "echo a && echo b" })).toMatchObject({ ran: true, text: "a\nb" });
      expect(await guarded.call("bash", { command: "echo a && rm kept" })).toMatchObject({ ran: false, isError: true });
      expect(guarded.prompts[0]?.scopes.map((scope) => scope.text)).toContain("rm kept");
      expect(await readFile(join(guarded.folder, "kept"), "utf8")).toBe("");
    } finally {
      await guarded.close();
    }
  });

  it("leaves nothing running when the host closes", async () => {
    const other = await testHost();
    await other.call("bash", { command: "setsid sleep 300 </dev/null >/dev/null 2>&1 & echo $! > pid; sleep 300 & echo $! >> pid" });
    const pids = (await readFile(join(other.folder, "pid"), "utf8")).trim().split("\n").map(Number);
    expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
    await other.close();
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
  });
});
