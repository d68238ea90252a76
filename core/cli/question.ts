import { setTimeout as delay } from "node:timers/promises";
import type { ReadStream, WriteStream } from "node:tty";

export type Choice<Value extends string> = { value: Value; label: string; hint?: string };

/** Asks a person on the terminal. Ctrl-C, Ctrl-D, Escape, the end of the input and the signal answer undefined. */
export type Questions = {
  /** The first choice is the one that Enter alone takes. */
  choose<Value extends string>(question: string, choices: readonly Choice<Value>[], signal: AbortSignal): Promise<Value | undefined>;
  /** A line of text. */
  line(question: string, signal: AbortSignal): Promise<string | undefined>;
};

type Io = { input: ReadStream; output: WriteStream; signal: AbortSignal };

/** What was typed before a question is there cannot be its answer: keys are dropped for so long, in milliseconds. */
const DROP_MS = 60;

export function createQuestions(input: ReadStream = process.stdin, output: WriteStream = process.stderr): Questions {
  // Some terminals do not know their size, and a question in no columns cannot be read.
  if (!(output.columns > 0)) output.columns = 80;
  if (!(output.rows > 0)) output.rows = 24;
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

async function askOn(io: Io, prompt: (io: Io) => Promise<string | symbol>): Promise<string | undefined> {
  const { input } = io;
  const ended = new AbortController();
  const end = () => ended.abort();
  const onKey = (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (key?.ctrl === true && key.name === "d") end();
  };
  const signal = AbortSignal.any([io.signal, ended.signal]);
  input.on("keypress", onKey).once("end", end).once("close", end).once("error", end);
  try {
    if (await dropTyped(input, signal)) return undefined;
    const answer = await prompt({ ...io, signal });
    return typeof answer === "symbol" || signal.aborted ? undefined : answer;
  } finally {
    input.off("keypress", onKey).off("end", end).off("close", end).off("error", end);
    input.pause();
  }
}

/** Ctrl-C and Ctrl-D. */
const CANCEL_KEYS = ["\u0003", "\u0004"];

/** Whether a Ctrl-C or Ctrl-D was among what was dropped. */
async function dropTyped(input: ReadStream, signal: AbortSignal): Promise<boolean> {
  let cancelled = false;
  const onData = (bytes: unknown) => {
    cancelled ||= CANCEL_KEYS.some((key) => String(bytes).includes(key));
  };
  input.setRawMode(true);
  input.on("data", onData).resume();
  await delay(DROP_MS, undefined, { signal }).catch(() => {});
  input.off("data", onData);
  return cancelled || signal.aborted;
}
