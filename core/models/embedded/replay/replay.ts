import { readFile } from "node:fs/promises";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { MortiseError } from "../../../../sdk/errors.ts";
import { type Clock, systemClock } from "../../../agent/clock.ts";
import type { Clean } from "../../clean-text.ts";
import { plainError } from "../../errors/plain-error.ts";
import { generateFrom, type Parts, streamParts } from "../stream-parts.ts";
import { Entry, type Failure, streamedPart } from "./cassette.ts";
import { printOf, type RequestPrint } from "./fingerprint.ts";
import type { ReplayMode } from "./replay-mode.ts";

export type Cassette = { path: string; entries: readonly Entry[] };

export type ReplayOptions = {
  mode?: ReplayMode;
  /** Plays at the speed of the recording; else at once. */
  atSpeed?: boolean;
  /** As it was when recorded, so that secrets of requests make no difference. */
  clean?: Clean;
  /** The folder that requests are about now, whatever it was then. */
  cwd?: string;
  clock?: Clock;
};

/** Reads a recording. Throws `file_broken` with its line. */
export async function openCassette(path: string): Promise<Cassette> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new MortiseError("file_broken", { seen: `${path}: ${cause instanceof Error ? cause.message : String(cause)}`, cause });
  });
  const entries = text.split("\n").flatMap((line, at) => (line.trim() === "" ? [] : [parseLine(line, `${path}:${at + 1}`)]));
  return { path, entries };
}

/** `embedded/replay`: gives the answers of a recording. Throws `not_recorded`, in `strict` with the first message that differs. */
export function createReplay(
  cassette: Cassette,
  { mode = "strict", atSpeed = false, clean, cwd, clock = systemClock }: ReplayOptions = {},
): LanguageModelV4 {
  const served = new Map<string, number>();
  const find = (options: LanguageModelV4CallOptions): Entry => {
    if (mode === "turn") return atTurn(cassette, options);
    const print = printOf(options, clean, cwd);
    const same = cassette.entries.filter(({ fingerprint }) => fingerprint === print.fingerprint);
    // A request that was sent several times, as after a failure, gets its answers in order, then the last again.
    const before = served.get(print.fingerprint) ?? 0;
    served.set(print.fingerprint, before + 1);
    const entry = same[Math.min(before, same.length - 1)];
    if (entry === undefined) throw new MortiseError("not_recorded", { seen: `${cassette.path}: ${difference(cassette, print)}` });
    return entry;
  };
  const doStream = async (options: LanguageModelV4CallOptions) => {
    options.abortSignal?.throwIfAborted();
    const entry = find(options);
    if (entry.error !== undefined && entry.parts.length === 0) throw errorOf(entry.error);
    return { stream: streamParts((signal) => play(entry, atSpeed, clock, signal), options.abortSignal) };
  };
  return {
    specificationVersion: "v4",
    provider: "embedded",
    modelId: "replay",
    supportedUrls: {},
    doStream,
    doGenerate: (options) => generateFrom(doStream, options),
  };
}

async function* play({ parts, error }: Entry, atSpeed: boolean, clock: Clock, signal: AbortSignal): Parts {
  for (const { delayMs, part } of parts) {
    if (atSpeed && delayMs > 0) await clock.sleep(delayMs, signal);
    yield part.type === "error" ? { type: "error", error: errorOf(part.error) } : streamedPart(part);
  }
  if (error !== undefined) throw errorOf(error);
}

/** By how many answers the conversation has, so that a request that is sent again gets the same. */
function atTurn({ entries, path }: Cassette, { prompt }: LanguageModelV4CallOptions): Entry {
  const turn = prompt.filter(({ role }) => role === "assistant").length;
  const entry = entries.filter(({ error }) => error === undefined)[turn];
  if (entry === undefined) throw new MortiseError("not_recorded", { seen: `${path}: it has no turn ${turn + 1}` });
  return entry;
}

/** In what a request differs from the recorded one that is most like it. */
function difference({ entries }: Cassette, print: RequestPrint): string {
  if (entries.length === 0) return "it is empty";
  const shared = ({ messages }: Entry) => {
    const first = print.messages.findIndex(({ hash }, at) => messages[at]?.hash !== hash);
    return first < 0 ? print.messages.length : first;
  };
  const nearest = entries.reduce((best, entry) => (shared(entry) > shared(best) ? entry : best));
  const at = shared(nearest);
  const [asked, known] = [print.messages[at], nearest.messages[at]];
  if (asked === undefined && known === undefined) return `the tools differ: ${toolChanges(print.tools, nearest.tools)}`;
  return `message ${at + 1} differs: ${shown(asked)}, and recorded is ${shown(known)}`;
}

function shown(message: { role: string; start: string } | undefined): string {
  return message === undefined ? "none" : `${message.role} ${JSON.stringify(message.start)}`;
}

function toolChanges(asked: readonly string[], known: readonly string[]): string {
  const added = asked.filter((name) => !known.includes(name)).map((name) => `+${name}`);
  const gone = known.filter((name) => !asked.includes(name)).map((name) => `-${name}`);
  return [...added, ...gone].join(" ");
}

function errorOf({ name, message, ...facts }: Failure): Error {
  return plainError(name, message, facts);
}

function parseLine(line: string, place: string): Entry {
  try {
    return Entry.parse(JSON.parse(line));
  } catch (cause) {
    throw new MortiseError("file_broken", { seen: `${place}: it is no line of a recording`, cause });
  }
}
