import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Message, ToolResultPart } from "../../../core/agent/message.ts";

export type Scratch = {
  state: string;
  cwd: string;
  log(id: string): string;
  lines(id: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
};

/** A state folder and a working directory of their own. */
export async function scratch(): Promise<Scratch> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "mortise-sessions-")));
  const state = join(base, "state");
  const log = (id: string) => join(state, "sessions", `${id}.jsonl`);
  return {
    state,
    cwd: base,
    log,
    lines: async (id) =>
      (await readFile(log(id), "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

export const user = (text: string): Message => ({ role: "user", text });
export const says = (text: string): Message => ({ role: "assistant", parts: [{ type: "text", text }], model: "embedded/scripted" });
export const calls = (...ids: readonly string[]): Message => ({
  role: "assistant",
  parts: ids.map((toolId) => ({ type: "call", toolId, tool: "read", input: { path: toolId } })),
  model: "embedded/scripted",
});
export const result = (toolId: string, text = `of ${toolId}`): ToolResultPart => ({ toolId, tool: "read", text, isError: false });
export const results = (...ids: readonly string[]): Message => ({ role: "tool", results: ids.map((id) => result(id)) });

/** Every result in a history, by its call, and "missing" for one that never came. */
export function textsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === "user") return [message.text];
    if (message.role === "tool") return message.results.map(({ text }) => text);
    return message.parts.map((part) => (part.type === "call" ? part.toolId : part.text));
  });
}

const program = fileURLToPath(new URL("writer.ts", import.meta.url));

/** A process that works with sessions as its first word says. */
export function startWriter(words: readonly string[], shell?: string): ChildProcess & { lines: AsyncIterableIterator<string> } {
  const [command, args] =
    shell === undefined ? [process.execPath, [program, ...words]] : ["bash", ["-c", shell, "bash", process.execPath, program, ...words]];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  return Object.assign(child, { lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() });
}
