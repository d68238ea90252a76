import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
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

/** A process with capabilities that runs a command, and then something else. */
function host(command: string, then = "setInterval(() => {}, 1000);") {
  const module = fileURLToPath(new URL("../../../../core/capabilities/create-capabilities.ts", import.meta.url));
  const script = `
    import { createCapabilities } from ${JSON.stringify(module)};
    const capabilities = createCapabilities({ cwd: ${JSON.stringify(folder)}, storeFolder: "/nowhere", allowedPrivateHosts: [], passSecrets: [], commandAllowed: async () => false });
    const job = capabilities.methods["run.exec"]([{ argv: ["bash", "-c", ${JSON.stringify(command)}] }], { plugin: "probe", granted: { run: true }, call: null });
    ${then}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
  return { child, exit: new Promise<unknown>((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal))) };
}

/** Processes that wait for a host's death. */
async function watchers(hostPid: number): Promise<number[]> {
  const found = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === hostPid && stat.includes("(sh)") ? [Number(name)] : [];
      }),
  );
  return found.flat();
}

const written = async (name: string, count = 1) => {
  const read = () => readFile(join(folder, name), "utf8").catch(() => "");
  await waitUntil(async () => (await read()).split("\n").length > count);
  return (await read()).trim().split("\n").map(Number);
};
const areGone = async (all: number[]) => (await Promise.all(all.map(isAlive))).every((alive) => !alive);

describe.runIf(process.platform === "linux")("killAfterDeath()", () => {
  it("leaves no process of a host that is killed, also where it left its group, ignores TERM or cleared its environment", async () => {
    const { child, exit } = host(
      "trap '' TERM; echo $$ >> pids; setsid bash -c 'echo $$ >> pids; exec sleep 300' </dev/null >/dev/null 2>&1 & sleep 300 & echo $! >> pids; env -i sleep 300 & echo $! >> pids; wait",
    );
    const running = await written("pids", 4);
    const watching = await watchers(child.pid!);
    expect(watching).toHaveLength(1);
    child.kill("SIGKILL");
    expect(await exit).toBe("SIGKILL");
    await waitUntil(() => areGone([...running, ...watching]), 5_000);
  });

  it("harms nothing and ends where the host ends all by itself, and does not keep it running", async () => {
    const bystander = spawn("sleep", ["300"], { env: { MORTISE_JOB: "another", PATH: process.env.PATH } });
    const { child, exit } = host("echo $$ > pids; exit 0", "await job; await new Promise((go) => setTimeout(go, 200)); await capabilities.close();");
    await written("pids");
    const watching = await watchers(child.pid!);
    expect(await exit).toBe(0);
    await waitUntil(() => areGone(watching), 5_000);
    expect(await isAlive(bystander.pid!)).toBe(true);
    bystander.kill();
  });
});
