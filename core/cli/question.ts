import { PassThrough, type Readable, type Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

export type Choice<Value extends string> = { value: Value; label: string; hint?: string };

/** Asks a person on the terminal. Ctrl-C, Ctrl-D, Escape, the end of the input and the signal answer undefined. */
export type Questions = {
  /** The first choice is the one that Enter alone takes. */
  choose<Value extends string>(question: string, choices: readonly Choice<Value>[], signal: AbortSignal): Promise<Value | undefined>;
  /** A line of text. */
  line(question: string, signal: AbortSignal): Promise<string | undefined>;
};

export type Keys = Readable & { setRawMode?(on: boolean): unknown };
export type Screen = Writable & { columns?: number; rows?: number };
type Io = { input: Keys; output: Screen; signal: AbortSignal };

/** What was typed before a question is there cannot be its answer: keys are dropped for so long, in milliseconds. */
const DROP_MS = 60;

export function createQuestions(input: Keys = process.stdin, output: Screen = process.stderr): Questions {
  // Some terminals do not know their size, and a question in no columns cannot be read.
  if (!output.columns) output.columns = 80;
  if (!output.rows) output.rows = 24;
  return {
    async choose<Value extends string>(question: string, choices: readonly Choice<Value>[], signal: AbortSignal) {
      const { select } = await import("@clack/prompts");
      const options = choices.map(({ value, label, hint }) => ({ value: value as string, label, ...(hint === undefined ? {} : { hint }) }));
      const answer = await askOn({ input, output, signal }, (io) => select<string>({ message: question, options, maxItems: options.length, ...io }));
      return choices.find(({ value }) => value === answer)?.value;
    },
    async line(question, signal) {
      const { text } = await import("@clack/prompts");
      return askOn({ input, output, signal }, (io) => text({ message: question, ...io }));
    },
  };
}

async function askOn({ input, output, signal }: Io, prompt: (io: Io) => Promise<string | symbol>): Promise<string | undefined> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const either = AbortSignal.any([signal, ended.signal]);
  // Keys come through a stream of the question's own: what fails about the terminal ends the question and nothing else.
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => input.setRawMode?.(on) });
  keys.on("keypress", (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (key?.ctrl === true && key.name === "d") end();
  });
  input.on("end", end).on("close", end).on("error", end);
  try {
    if (await dropTyped(input, either)) return undefined;
    input.pipe(keys);
    const answer = await prompt({ input: keys, output, signal: either });
    return typeof answer === "symbol" || either.aborted ? undefined : answer;
  } finally {
    input.unpipe(keys);
    input.off("end", end).off("close", end).off("error", end);
    input.pause();
  }
}

/** Ctrl-C and Ctrl-D. */
const CANCEL_KEYS = ["\u0003", "\u0004"];

/** Whether a Ctrl-C or Ctrl-D was among what was dropped. */
async function dropTyped(input: Keys, signal: AbortSignal): Promise<boolean> {
  let cancelled = false;
  const onData = (bytes: unknown) => {
    cancelled ||= CANCEL_KEYS.some((key) => String(bytes).includes(key));
  };
  input.setRawMode?.(true);
  input.on("data", onData).resume();
  await delay(DROP_MS, undefined, { signal }).catch(() => {});
  input.off("data", onData);
  return cancelled || signal.aborted;
}
