import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive, waitUntil } from "../../../support/wait-until.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process with capabilities that runs one program, and a second one that left its group. */
function host(then: string) {
  const module = fileURLToPath(new URL("../../../../core/capabilities/create-capabilities.ts", import.meta.url));
  const script = `
    import { createCapabilities } from ${JSON.stringify(module)};
    const capabilities = createCapabilities({ cwd: ${JSON.stringify(folder)}, storeFolder: "/nowhere", allowedPrivateHosts: [], passSecrets: [], commandAllowed: async () => false });
    const command = "setsid bash -c 'echo $$ > left; exec sleep 300' </dev/null >/dev/null 2>&1 & trap '' TERM; echo $$ > pid; while :; do sleep 300; done";
    void capabilities.methods["run.exec"]([{ argv: ["bash", "-c", command] }], { plugin: "probe", granted: { run: true }, call: null });
    ${then}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
  return { child, exit: new Promise<[number | null, string | null]>((resolve) => child.once("exit", (code, signal) => resolve([code, signal]))) };
}

const pids = async () => {
  const read = async (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
  await waitUntil(async () => (await read("pid")).endsWith("\n") && (await read("left")).endsWith("\n"));
  return [Number(await read("pid")), Number(await read("left"))];
};
const areGone = async (all: number[]) => (await Promise.all(all.map(isAlive))).every((alive) => !alive);

describe("killOnExit()", () => {
  it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("leaves no process when the host is ended by %s, and lets it die of that", async (signal) => {
    const { child, exit } = host("setInterval(() => {}, 1000);");
    const running = await pids();
    child.kill(signal);
    expect(await exit).toEqual([null, signal]);
    await waitUntil(() => areGone(running), 5_000);
  });

  it("leaves no process when the host exits", async () => {
    const { exit } = host(`
      import { statSync } from "node:fs";
      const written = (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
      setInterval(() => { if (written("${join(folder, "pid")}") && written("${join(folder, "left")}")) process.exit(7); }, 10);`);
    const running = await pids();
    expect(await exit).toEqual([7, null]);
    await waitUntil(() => areGone(running), 5_000);
  });

  it("leaves the signal to whoever else handles it", async () => {
    const { child, exit } = host(`
      process.on("SIGTERM", async () => { await capabilities.close(); process.exitCode = 143; clearInterval(alive); });
      const alive = setInterval(() => {}, 1000);`);
    const running = await pids();
    child.kill("SIGTERM");
    expect(await exit).toEqual([143, null]);
    expect(await areGone(running)).toBe(true);
  });
});
