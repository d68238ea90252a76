import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Frame } from "./frames.ts";

/** One request to the process; its answer is whatever frame came back. */
export type Ask = (request: Record<string, unknown>, limitMs: number) => Promise<Reply>;
export type Reply = { frame: unknown } | { failed: string };

/** What it is asked for: one process does one kind of work alone. `tiers` is for queries too, with grammars whose wasm may tier up. */
export type SyntaxKind = "understand" | "query" | "tiers";

export type SyntaxProcess = {
  ask: Ask;
  /** Requests that have no answer yet. */
  open(): number;
  close(): Promise<void>;
  /** Undefined while none runs. */
  pid(): number | undefined;
};

/** How long the process may take to load the runtime and its grammars. */
const START_MS = 20_000;
/** After so long without a query, a process for queries is ended. */
const IDLE_MS = 120_000;
/** Requests that go to the process, and come back, together; a long one goes alone, so that what breaks the process is known. */
const TOGETHER = 16;
const SHORT_CHARS = 1_000;

type Asked = { id: number; request: Record<string, unknown>; chars: number; limitMs: number; resolve(reply: Reply): void };

/**
 * A process that is started on first use, answers one request after another, and is ended and started anew when it crashes or does not answer in time:
 * the request it was at fails, those behind go to the next. It does not keep the host alive while it has nothing to do.
 */
export function createSyntaxProcess(kind: SyntaxKind, execPath: string = process.execPath): SyntaxProcess {
  let child: ChildProcess | undefined;
  let ready = false;
  let closed = false;
  let lastId = 0;
  /** In the order they were asked; the first `sent` of them are with the process. */
  let waiting: Asked[] = [];
  let sent = 0;
  let timer: NodeJS.Timeout | undefined;

  const ask: Ask = (request, limitMs) => {
    if (closed) return Promise.resolve({ failed: "the parser was closed" });
    return new Promise((resolve) => {
      const { text } = request;
      waiting.push({ id: ++lastId, request, chars: typeof text === "string" ? text.length : 0, limitMs, resolve });
      if (child === undefined) begin();
      // What is asked at once goes together.
      else if (ready && sent === 0 && waiting.length === 1) queueMicrotask(() => child !== undefined && ready && sent === 0 && feed(child));
    });
  };

  function begin(): void {
    const started = start(kind, execPath);
    child = started;
    ready = false;
    sent = 0;
    started.on("message", (message: unknown) => child === started && onMessage(started, message));
    started.once("exit", () => child === started && lost(started, "the parser ended"));
    started.once("error", () => child === started && lost(started, "the parser could not be started"));
    watch(started, START_MS);
  }

  function onMessage(running: ChildProcess, message: unknown): void {
    const frame = Frame.safeParse(message);
    if (frame.success && "ready" in frame.data && !ready) {
      ready = true;
      feed(running);
      return;
    }
    const answers = frame.success && "answers" in frame.data ? frame.data.answers : [];
    if (!ready || answers.length === 0 || answers.length !== sent || answers.some(({ id }, at) => id !== waiting[at]!.id)) {
      lost(running, "the parser gave an answer that is none");
      return;
    }
    const answered = waiting.splice(0, sent);
    sent = 0;
    // The process goes on with what waits while the answers are looked at; one that broke gets nothing more.
    if (answers.some(({ fatal }) => fatal)) renew(running);
    else feed(running);
    for (const [at, answer] of answers.entries()) answered[at]!.resolve(answer.failed === undefined ? { frame: answer } : { failed: answer.failed });
  }

  /** Hands on what waits, and sees to it that it is answered in time. */
  function feed(running: ChildProcess): void {
    const [first] = waiting;
    if (first === undefined) {
      clearTimeout(timer);
      hold(running, false);
      // Grammars and the largest tree so far keep their memory.
      if (kind !== "understand") timer = setTimeout(() => retire(running), IDLE_MS).unref();
      return;
    }
    const long = waiting.slice(0, TOGETHER).findIndex(({ chars }) => chars > SHORT_CHARS);
    sent = long === 0 ? 1 : Math.min(long === -1 ? TOGETHER : long, waiting.length);
    running.send({ requests: waiting.slice(0, sent).map(({ id, request }) => ({ ...request, id })) }, () => {});
    watch(running, first.limitMs);
  }

  function watch(running: ChildProcess, limitMs: number): void {
    clearTimeout(timer);
    hold(running, true);
    timer = setTimeout(() => lost(running, ready ? "it takes too long to parse" : "the parser could not be started"), limitMs);
  }

  function retire(running: ChildProcess): void {
    clearTimeout(timer);
    child = undefined;
    ready = false;
    sent = 0;
    end(running);
  }

  function renew(running: ChildProcess): void {
    retire(running);
    if (waiting.length > 0 && !closed) begin();
  }

  /** The process is of no more use. What it was at failed; before it was ready, all did. */
  function lost(running: ChildProcess, why: string): void {
    const failed = ready ? waiting.splice(0, 1) : waiting.splice(0);
    for (const { resolve } of failed) resolve({ failed: why });
    renew(running);
  }

  return {
    ask,
    async close() {
      closed = true;
      clearTimeout(timer);
      const failed = waiting;
      waiting = [];
      for (const { resolve } of failed) resolve({ failed: "the parser was closed" });
      const running = child;
      if (running === undefined) return;
      const ended = new Promise<void>((resolve) => running.once("exit", () => resolve()));
      hold(running, true);
      child = undefined;
      end(running);
      await ended;
    },
    open: () => waiting.length,
    pid: () => child?.pid,
  };
}

/** A process that was ended is never asked again. */
function end(running: ChildProcess): void {
  // What goes wrong now concerns nobody; an error without a listener would end the host.
  running.on("error", () => {});
  running.kill("SIGKILL");
  if (running.connected) running.disconnect();
}

/** Whether the process keeps this one alive. */
function hold(child: ChildProcess, wanted: boolean): void {
  if (wanted) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function start(kind: SyntaxKind, execPath: string): ChildProcess {
  const root = packageRoot(dirname(fileURLToPath(import.meta.url)));
  const { resolve } = createRequire(join(root, "package.json"));
  // Where the package is, and where the process looks for it: the two differ where node_modules or the package is a link.
  const runtimes = [
    dirname(resolve("web-tree-sitter")),
    ...(resolve.paths("web-tree-sitter") ?? []).map((folder) => join(folder, "web-tree-sitter")),
  ];
  const readable = [
    join(root, "dist", "syntax.js"),
    join(root, "dist", "grammars") + sep,
    join(root, "package.json"),
    ...runtimes.map((folder) => folder + sep),
  ];
  return fork(join(root, "dist", "syntax.js"), [kind], {
    execPath,
    // Some grammars take gigabytes when the wasm tiers up.
    execArgv: [
      ...(kind === "tiers" ? [] : ["--liftoff-only"]),
      "--preserve-symlinks",
      "--permission",
      ...readable.map((path) => `--allow-fs-read=${path}`),
    ],
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** The host's code runs from its folders or from dist/. */
function packageRoot(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  return packageRoot(dirname(folder));
}
