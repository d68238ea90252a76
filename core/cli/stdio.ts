import { styleText } from "node:util";
import { createLiveView } from "./live-view.ts";

export type Style = Parameters<typeof styleText>[0];

/** The two streams of the command line. Standard output carries the answer, standard error everything else. */
export type Stdio = {
  /** Writes to standard output; resolves once it is written, or nobody reads it any more. */
  write(text: string): Promise<void>;
  /** Writes one JSON value: on one line, or indented on a terminal. */
  json(value: unknown): Promise<void>;
  /** Writes a line for a person to standard error. */
  say(line: string): void;
  /** Shows on standard error, where that is a terminal, the last lines of what a tool writes, until anything else is written. */
  live(text: string): void;
  /** Shows nothing of a tool while something else has the terminal. */
  withoutLive<T>(work: () => Promise<T>): Promise<T>;
  /** Whether `live` shows anything. */
  showsLive: boolean;
  /** Colours text for standard output where that is a terminal; `NO_COLOR` and `FORCE_COLOR` are respected. */
  paint(style: Style, text: string): string;
  /** The same for standard error. */
  paintError(style: Style, text: string): string;
  outputIsTerminal: boolean;
  /** Whether a person can be asked: standard input and error are a terminal. */
  interactive: boolean;
  /** Waits until all is written. */
  flush(): Promise<void>;
  /** Whether nobody reads standard output any more. */
  unread(): boolean;
  /** What standard output failed with, other than that nobody reads it any more. */
  failure(): Error | undefined;
};

/** How long a reader has for each chunk after a signal, in milliseconds. */
const LAST_MS = 1_000;
const CHUNK_BYTES = 64 * 1024;
const NOTHING = new Uint8Array();

/** Once `aborted`, a reader that has stopped reading is not waited for. */
export function createStdio(aborted: AbortSignal): Stdio {
  const { stdout, stderr, stdin } = process;
  let closed = false;
  let failure: Error | undefined;
  stdout.on("error", (cause: NodeJS.ErrnoException) => {
    closed = true;
    if (cause.code !== "EPIPE") failure ??= cause;
  });
  // Nobody is left to tell.
  stderr.on("error", () => {});

  const written = (stream: NodeJS.WriteStream, bytes: Uint8Array) =>
    new Promise<void>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const done = () => {
        clearTimeout(timer);
        aborted.removeEventListener("abort", hurry);
        resolve();
      };
      const hurry = () => {
        timer = setTimeout(() => {
          closed = true;
          done();
        }, LAST_MS);
      };
      if (aborted.aborted) hurry();
      else aborted.addEventListener("abort", hurry, { once: true });
      stream.write(bytes, done);
    });
  const write = async (text: string) => {
    view.clear();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length && !closed; at += CHUNK_BYTES) await written(stdout, bytes.subarray(at, at + CHUNK_BYTES));
  };
  const outputIsTerminal = stdout.isTTY === true;
  const showsLive = stderr.isTTY === true && process.env.TERM !== "dumb";
  const view = createLiveView(stderr, (line) => styleText("dim", line, { stream: stderr }));
  let held = 0;

  return {
    write,
    json: (value) => write(`${JSON.stringify(value, null, outputIsTerminal ? 2 : undefined)}\n`),
    say(line) {
      view.clear();
      stderr.write(`${line}\n`);
    },
    live(text) {
      if (showsLive && held === 0) view.write(text);
    },
    async withoutLive(work) {
      held++;
      view.clear();
      try {
        return await work();
      } finally {
        held--;
      }
    },
    showsLive,
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    paintError: (style, text) => styleText(style, text, { stream: stderr }),
    outputIsTerminal,
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    flush: async () => {
      view.clear();
      if (!closed) await written(stdout, NOTHING);
      await written(stderr, NOTHING);
    },
    unread: () => closed,
    failure: () => failure,
  };
}
