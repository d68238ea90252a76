import { type Readable, Transform, type Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

export type Choice<Value extends string> = { value: Value; label: string; hint?: string };

/** Asks a person on the terminal. Ctrl-C, Ctrl-D, Escape, the end of the input and the signal answer undefined; Ctrl-C interrupts as well. */
export type Questions = {
  /** The first choice is the one that Enter alone takes. */
  choose<Value extends string>(question: string, choices: readonly Choice<Value>[], signal: AbortSignal): Promise<Value | undefined>;
  /** A line of text. */
  line(question: string, signal: AbortSignal): Promise<string | undefined>;
};

/** The same, and several choices at once. */
export type ManyQuestions = Questions & {
  /** None where nothing is chosen. */
  several<Value extends string>(question: string, choices: readonly Choice<Value>[], signal: AbortSignal): Promise<Value[] | undefined>;
};

export type Keys = Readable & { setRawMode?(on: boolean): unknown };
export type Screen = Writable & { columns?: number; rows?: number };
type Io = { input: Keys; output: Screen; signal: AbortSignal };
type Terminal = Io & { interrupt(): void };

/** What was typed before a question is there cannot be its answer: keys are dropped for so long, in milliseconds. */
const DROP_MS = 60;

/** `interrupt` is what Ctrl-C does: a terminal that hands on single keys sends no SIGINT of its own. */
export function createQuestions(
  input: Keys = process.stdin,
  output: Screen = process.stderr,
  interrupt: () => void = () => process.emit("SIGINT"),
): ManyQuestions {
  // Some terminals do not know their size, and a question in no columns cannot be read.
  if (!output.columns) output.columns = 80;
  if (!output.rows) output.rows = 24;
  return {
    async choose<Value extends string>(question: string, choices: readonly Choice<Value>[], signal: AbortSignal) {
      const { select } = await import("@clack/prompts");
      const options = choices.map(({ value, label, hint }) => ({ value: value as string, label, ...(hint === undefined ? {} : { hint }) }));
      const answer = await askOn<string>({ input, output, signal, interrupt }, (io) =>
        select<string>({ message: question, options, maxItems: options.length, ...io }),
      );
      return choices.find(({ value }) => value === answer)?.value;
    },
    async several<Value extends string>(question: string, choices: readonly Choice<Value>[], signal: AbortSignal) {
      const { multiselect } = await import("@clack/prompts");
      const options = choices.map(({ value, label, hint }) => ({ value: value as string, label, ...(hint === undefined ? {} : { hint }) }));
      const answer = await askOn<string[]>({ input, output, signal, interrupt }, (io) =>
        multiselect<string>({ message: question, options, maxItems: options.length, required: false, ...io }),
      );
      return answer === undefined ? undefined : choices.filter(({ value }) => answer.includes(value)).map(({ value }) => value);
    },
    async line(question, signal) {
      const { text } = await import("@clack/prompts");
      return askOn<string>({ input, output, signal, interrupt }, (io) => text({ message: question, ...io }));
    },
  };
}

async function askOn<Answer extends string | string[]>(
  terminal: Terminal,
  prompt: (io: Io) => Promise<Answer | symbol>,
): Promise<Answer | undefined> {
  const { input, output, signal } = terminal;
  const ended = new AbortController();
  const end = () => ended.abort();
  const either = AbortSignal.any([signal, ended.signal]);
  let interrupted = false;
  const onKey = (key: string) => {
    interrupted ||= key === CTRL_C;
  };
  // Keys come through a stream of the question's own: what fails about the terminal ends the question and nothing else.
  const keys = Object.assign(cancelKeys(onKey), { isTTY: true, setRawMode: (on: boolean) => input.setRawMode?.(on) });
  input.on("end", end).on("close", end).on("error", end);
  try {
    const typed = await dropTyped(input, either);
    for (const key of typed) onKey(key);
    if (typed.length > 0 || either.aborted) return undefined;
    input.pipe(keys);
    const answer = await prompt({ input: keys, output, signal: either });
    return typeof answer === "symbol" || either.aborted || interrupted ? undefined : answer;
  } finally {
    input.unpipe(keys);
    input.off("end", end).off("close", end).off("error", end);
    input.pause();
    // Not before the question has drawn its end, or it would draw two.
    if (interrupted) terminal.interrupt();
  }
}

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

/** Hands keys on, Ctrl-D as the Ctrl-C that a question takes for its end, and tells of both. */
function cancelKeys(onKey: (key: string) => void): Transform {
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      for (const key of cancelsIn(bytes)) onKey(key);
      done(null, Buffer.from(bytes.map((byte) => (byte === CTRL_D.charCodeAt(0) ? CTRL_C.charCodeAt(0) : byte))));
    },
  });
}

/** The Ctrl-C and Ctrl-D among what is dropped. */
async function dropTyped(input: Keys, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const onData = (bytes: unknown) => void found.push(...cancelsIn(bytes));
  input.setRawMode?.(true);
  input.on("data", onData).resume();
  await delay(DROP_MS, undefined, { signal }).catch(() => {});
  input.off("data", onData);
  return found;
}

function cancelsIn(bytes: unknown): string[] {
  return [...String(bytes)].filter((key) => key === CTRL_C || key === CTRL_D);
}
