import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const entry = fileURLToPath(new URL("../../../core/cli/mortise.mjs", import.meta.url));

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string };

export type Scratch = {
  /** A project folder, where commands run. */
  folder: string;
  home: string;
  env: NodeJS.ProcessEnv;
  write(path: string, text: string): Promise<string>;
  /** Starts the command line. */
  start(words: readonly string[], options?: StartOptions): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream };
  run(words: readonly string[], options?: StartOptions & { stdin?: string }): Promise<Ended>;
  remove(): Promise<void>;
};

type StartOptions = { cwd?: string; env?: NodeJS.ProcessEnv };

/** A home and a project of their own: nothing of the machine's settings counts. */
export async function scratch(): Promise<Scratch> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "mortise-cli-")));
  const [home, folder] = [join(base, "home"), join(base, "project")];
  await Promise.all([mkdir(home), mkdir(folder)]);
  const { NO_COLOR: _n, FORCE_COLOR: _f, NODE_OPTIONS: _o, ...inherited } = process.env;
  const env = {
    ...inherited,
    HOME: home,
    MORTISE_CONFIG_HOME: join(home, "config"),
    MORTISE_CACHE_HOME: join(home, "cache"),
    MORTISE_STATE_HOME: join(home, "state"),
  };
  const start: Scratch["start"] = (words, options = {}) =>
    spawn(process.execPath, [entry, ...words], { cwd: options.cwd ?? folder, env: { ...env, ...options.env }, stdio: ["pipe", "pipe", "pipe"] });
  return {
    folder,
    home,
    env,
    async write(path, text) {
      const file = join(base, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    start,
    async run(words, { stdin, ...options } = {}) {
      const child = start(words, options);
      child.stdin?.on("error", () => {});
      child.stdin?.end(stdin);
      return ended(child);
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name]?.setEncoding("utf8").on("data", (text: string) => (texts[name] += text));
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, ...texts })));
}

/** Waits for a condition, which must come true before long. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let left = 400; !(await condition()); left--) {
    if (left === 0) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The process whose number a program writes to a file, which is there before the number is. */
export async function pidIn(path: string): Promise<number> {
  let pid = 0;
  await until(async () => {
    pid = Number(await readFile(path, "utf8").catch(() => ""));
    return pid > 0;
  }, "its process");
  return pid;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Where a program is found on the PATH, outside of node_modules. */
export function findPrograms(name: string): string[] {
  return (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => folder !== "" && !folder.includes("node_modules"))
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path));
}

/** Tools that need no permission, for tests of what stands around them. */
export const PROBE = `
import { definePlugin } from "mortise/sdk";
const object = (properties = {}, required = []) => ({ type: "object", properties, required, additionalProperties: false });
export default definePlugin({ name: "probe" }, (api) => {
  api.registerTool({ name: "say", description: "Says a text.", input: object({ text: { type: "string" } }, ["text"]), scopes: "none", run: ({ text }) => text });
  api.registerTool({ name: "big", description: "Says much.", input: object({ chars: { type: "integer" } }, ["chars"]), scopes: "none", run: ({ chars }) => "é".repeat(chars) });
  api.registerTool({ name: "fail", description: "Fails.", input: object(), scopes: "none", run: () => ({ text: "It did not work.", isError: true }) });
  api.registerTool({
    name: "wait", description: "Waits for ever.", input: object(), scopes: "none",
    run: (_input, call) => new Promise((resolve) => call.signal.addEventListener("abort", () => resolve("half of it"))),
  });
});
`;

export function jsonOf(text: string): Record<string, unknown> & { error?: { code: string; message: string } } {
  return JSON.parse(text);
}
