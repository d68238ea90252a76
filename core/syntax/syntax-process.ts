import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Frame } from "./frames.ts";

/** One request to the process; its answer is whatever frame came back. */
export type Ask = (request: Record<string, unknown>, limitMs: number) => Promise<Reply>;
export type Reply = { frame: unknown } | { failed: string };

export type SyntaxProcess = { ask: Ask; close(): Promise<void> /** Undefined while none runs. */; pid(): number | undefined };

/** How long the process may take to load the runtime and its grammars. */
const START_MS = 20_000;

/**
 * A process that is started on first use, answers one request after another, and is ended and started anew when it crashes or does not answer in time.
 * It does not keep the host alive while it has nothing to do.
 */
export function createSyntaxProcess(execPath: string = process.execPath): SyntaxProcess {
  let child: ChildProcess | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;
  let lastId = 0;

  const ask: Ask = (request, limitMs) => {
    const answer = queue.then(() => askNow(request, limitMs));
    queue = answer;
    return answer;
  };

  async function askNow(request: Record<string, unknown>, limitMs: number): Promise<Reply> {
    if (closed) return { failed: "the parser was closed" };
    if (child === undefined) {
      const started = start(execPath);
      child = started;
      started.once("exit", () => {
        if (child === started) child = undefined;
      });
      // What goes wrong shows as an answer that fails; an error without a listener would end the host.
      started.on("error", () => {});
      const ready = await reply(started, 0, START_MS);
      if ("failed" in ready) return ready;
    }
    const running = child;
    if (running === undefined) return { failed: "the parser ended" };
    const id = ++lastId;
    hold(running, true);
    running.send({ ...request, id }, () => {});
    const answered = await reply(running, id, limitMs);
    hold(running, false);
    return answered;
  }

  /** The frame with this id; the process is ended where none comes in time. */
  function reply(running: ChildProcess, id: number, limitMs: number): Promise<Reply> {
    return new Promise((resolve) => {
      const done = (answer: Reply) => {
        clearTimeout(timer);
        running.off("message", onMessage);
        running.off("exit", onExit);
        running.off("error", onError);
        if ("failed" in answer && id === 0) end(running);
        resolve(answer);
      };
      const onMessage = (message: unknown) => {
        const frame = Frame.safeParse(message);
        if (!frame.success || frame.data.id !== id) {
          end(running);
          done({ failed: "the parser gave an answer that is none" });
        } else if (frame.data.failed !== undefined) done({ failed: frame.data.failed });
        else done({ frame: message });
      };
      const onExit = () => done({ failed: "the parser ended" });
      const onError = () => done({ failed: "the parser could not be started" });
      const timer = setTimeout(() => {
        end(running);
        done({ failed: "it takes too long to parse" });
      }, limitMs);
      running.on("message", onMessage);
      running.on("exit", onExit);
      running.on("error", onError);
    });
  }

  /** A process that was ended is never asked again. */
  function end(running: ChildProcess): void {
    if (child === running) child = undefined;
    running.kill("SIGKILL");
    if (running.connected) running.disconnect();
  }

  return {
    ask,
    async close() {
      closed = true;
      const running = child;
      if (running === undefined) return;
      const ended = new Promise<void>((resolve) => running.once("exit", () => resolve()));
      hold(running, true);
      end(running);
      await ended;
    },
    pid: () => child?.pid,
  };
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

function start(execPath: string): ChildProcess {
  const root = packageRoot(dirname(fileURLToPath(import.meta.url)));
  const runtime = dirname(createRequire(join(root, "package.json")).resolve("web-tree-sitter"));
  const readable = [join(root, "dist", "syntax.js"), join(root, "dist", "grammars") + sep, join(root, "package.json"), runtime + sep];
  return fork(join(root, "dist", "syntax.js"), [], {
    execPath,
    // Some grammars take gigabytes when the wasm tiers up.
    execArgv: ["--liftoff-only", "--permission", ...readable.map((path) => `--allow-fs-read=${path}`)],
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** The host's code runs from its folders or from dist/. */
function packageRoot(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  return packageRoot(dirname(folder));
}
