import { randomUUID } from "node:crypto";
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Driver } from "../../core/agent/tasks/driver.ts";
import type { AgentAnswer, AgentTask } from "../../sdk/api.ts";

export type Input = Record<string, unknown>;

/** What the suite has to know of a tool to try it. Everything else it reads from the tool's definition. */
export type Sample = {
  /** Works in a folder that `prepare` filled. */
  input: Input;
  /** Its result is more than a model is shown. Left out where no result of the tool can be. */
  huge?: Input;
  /** Runs for a minute unless it is ended; `partial` is what it shows before. Left out where the tool waits for nothing but the host. */
  slow?: Input;
  partial?: RegExp;
  /** The field that holds a path. */
  path?: string;
  /** Methods of the API that the test stands in for, as what lies outside of the machine. */
  fakes?: Readonly<Record<string, (...args: unknown[]) => unknown>>;
};

/** One for every tool of the pack. */
export const samples: Readonly<Record<string, Sample>> = {
  bash: {
    input: { command: "echo hi > made.txt; cat a.txt" },
    huge: { command: "seq 1 100000" },
    slow: { command: "echo begun; sleep 60" },
    partial: /^begun\n/,
    path: "workdir",
  },
  batch: {
    input: {
      tool_calls: [
        { tool: "read", parameters: { path: "a.txt" } },
        { tool: "bash", command: "cat b.txt" },
      ],
    },
    huge: {
      tool_calls: [
        { tool: "read", path: "big.txt" },
        { tool: "bash", command: "seq 1 100000" },
      ],
    },
    slow: {
      tool_calls: [
        { tool: "read", path: "a.txt" },
        { tool: "bash", command: "echo begun; sleep 60" },
      ],
    },
    partial: /1: alpha[\s\S]*## bash\n\[ERROR\] (?:cancelled\n)?begun/,
  },
  code_execution: {
    input: { code: 'console.log(await bash({ command: "cat a.txt" }));' },
    huge: { code: 'console.log(await bash({ command: "seq 1 100000" }));' },
    slow: { code: 'console.log("begun");\nawait bash({ command: "sleep 60" });' },
    partial: /^begun\n/,
  },
  edit: { input: { path: "edit.txt", old_string: "one", new_string: "one more" }, path: "path" },
  glob: { input: { pattern: "**/*.ts" }, huge: { pattern: "many/*" }, path: "path" },
  grep: { input: { pattern: "beta" }, huge: { pattern: "e", limit: 1_000 }, path: "path" },
  index: { input: { path: "src/code.ts" }, huge: { path: "src/long.ts" }, path: "path" },
  list: { input: { path: "src" }, huge: { path: "many", limit: 1_000 }, path: "path" },
  multiedit: {
    input: {
      path: "multiedit.txt",
      edits: [
        { old_string: "one", new_string: "one more" },
        { old_string: "two", new_string: "two more" },
      ],
    },
    path: "path",
  },
  question: { input: { questions: [{ question: "Which one?", header: "Choice", options: [{ label: "The first" }, { label: "The second" }] }] } },
  read: { input: { path: "a.txt" }, huge: { path: "big.txt" }, path: "path" },
  task: { input: { description: "Look into it", prompt: "Read a.txt and say what it is about." } },
  task_result: { input: { id: "known" } },
  task_wait: { input: { ids: ["known"], timeout_ms: 1_000 } },
  todo_write: { input: { todos: [{ content: "Write it", status: "in_progress" }, { content: "Test it" }] } },
  write: { input: { path: "new/written.txt", content: "written\n" }, path: "path" },
  memory: { input: { command: "write", path: "build", content: "Use make." } },
  skill: { input: { name: "greet" } },
  webfetch: {
    input: { url: "https://example.com/" },
    huge: { url: "https://example.com/huge" },
    fakes: {
      "net.fetch": (url) => ({
        status: 200,
        url: String(url),
        headers: { "content-type": "text/html" },
        text: String(url).endsWith("/huge") ? "<p>many words</p>".repeat(100_000) : "<h1>Hi</h1>",
        bytes: 11,
        truncated: false,
      }),
    },
  },
};

/** The files that samples are about, each of its own time: searches show the newest first. */
export async function prepare(folder: string, many = 1_200): Promise<void> {
  for (const name of ["src", "many", ".claude/skills/greet"]) await mkdir(join(folder, name), { recursive: true });
  const files: Record<string, string> = {
    "a.txt": "alpha\nbeta\ngamma\n",
    "b.txt": "beta\n",
    ".claude/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets.\n---\nSay hello.\n",
    "src/code.ts": "export function twice(n: number): number {\n  return n * 2;\n}\n",
    "src/long.ts": Array.from({ length: 8_000 }, (_, i) => `export function number${i}(of: string): string {\n  return of;\n}\n`).join(""),
    "edit.txt": "one\n",
    "multiedit.txt": "one\ntwo\n",
    "big.txt": Array.from({ length: 60_000 }, (_, i) => `line ${i} of many, beta and more text to fill it\n`).join(""),
    ...Object.fromEntries(Array.from({ length: many }, (_, i) => [`many/a-file-with-a-long-name-${i}.txt`, "beta\n"])),
  };
  await Promise.all(
    Object.entries(files).map(async ([name, text], at) => {
      await writeFile(join(folder, name), text);
      await utimes(join(folder, name), 1_700_000_000 + at, 1_700_000_000 + at);
    }),
  );
  await symlink("a.txt", join(folder, "link.txt"));
}

/** Stands in for an agent: subagents of it say what they were asked. */
export const driver: Driver = {
  open: async ({ name, audience, tier = "medium" }) => ({
    id: randomUUID(),
    name,
    model: "embedded/scripted",
    tier,
    clamped: false,
    prompt: async (text) => answered(`${audience}: ${text}`.slice(0, 1_000)),
    partial: () => "",
    close: async () => {},
  }),
  consult: async () => {
    throw new Error("Nobody asks for a permission here");
  },
  background: {
    start: ({ child: { id, name, model, tier, clamped } }) => ({ id, name, model, tier, clamped, status: "working" }),
    list: () => [known],
    wait: async (_plugin, which) => (which.includes(known.id) ? [known] : []),
    stop: async () => undefined,
    endPlugin: async () => {},
  },
};

function answered(text: string): AgentAnswer {
  return { text, ended: "done", calls: [], turns: 1, tokens: 10, costUsd: 0, durationMs: 1 };
}

const known: AgentTask = {
  id: "known",
  name: "Look around",
  model: "embedded/scripted",
  tier: "medium",
  clamped: false,
  status: "done",
  answer: answered("All is well."),
};

/** What the samples stand in for. */
export const fakes = Object.assign({}, ...Object.values(samples).map((sample) => sample.fakes ?? {}));
