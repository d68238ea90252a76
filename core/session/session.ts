import { MortiseError } from "../../sdk/errors.ts";
import type { Message, ToolResultPart } from "../agent/message.ts";
import type { RunEnd, RunError, Usage } from "../agent/session-event.ts";
import { allImages, createKeptImages, type KeptImages } from "./kept-images.ts";
import { createLogFile } from "./log-file.ts";
import { keptMessage, lineOf, linesOf, recordsOf } from "./log-lines.ts";
import type { LogRecord, QueuedMessage, RecordOf, SessionRule } from "./records.ts";
import { replaceLog } from "./replace-log.ts";
import type { SessionFiles } from "./session-files.ts";
import { costOf, type SessionState, type StateOfLog } from "./session-state.ts";
import { titleOf } from "./title.ts";
import { type Call, noResult } from "./valid-history.ts";

export type SessionSettings = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Characters of base64 that all images in one log may have; later ones are left out of it. */
  imageChars: number;
  /** A log of more bytes is written anew once more than half of it does not count any more. */
  rewriteBytes: number;
};

/**
 * A session that this process alone writes to. What is given is in `state` at once; a promise tells when it is in the log.
 * It rejects with `file_failed` where that did not work: the log is as it was, and the next write tries to bring it along.
 */
export type Session = {
  readonly id: string;
  readonly state: SessionState;
  /** Whether all that was given is in the log. */
  saved(): boolean;
  /** The first message makes the log; a session without one leaves no file. Results may also come in a tool message. */
  append(message: Message): Promise<void>;
  /** One result of a call, when it is done, in whichever order. */
  addResult(result: ToolResultPart): Promise<void>;
  addUsage(model: string, usage: Usage, costUsd: number | null): Promise<void>;
  addPermission(decision: PermissionDecision): Promise<void>;
  /** Of each field the last one counts; `rules` and `queued` are whole lists. */
  set(fields: SessionFields): Promise<void>;
  /** Another history, as after compaction or going back. What it shares with the old one at its beginning and end is known by its objects, and not written again. */
  replace(messages: readonly Message[]): Promise<void>;
  /** Calls without a result. */
  open(): readonly Call[];
  /** A run ended. Calls without a result get one that says so. */
  end(reason: RunEnd | "interrupted", error?: RunError | null): Promise<void>;
  /** Waits for what is being written, and gives the session up. Does not end a run: opening the session tells that it was interrupted. */
  close(): Promise<void>;
};

export type SessionFields = {
  title?: string;
  model?: string;
  context?: { tokens: number; window: number };
  rules?: readonly SessionRule[];
  queued?: readonly QueuedMessage[];
};
export type PermissionDecision = Omit<RecordOf<"permission">, "t" | "at">;

/** @param from What is in the log already, and its length in bytes: 0 where there is none. */
export function createSession(
  from: StateOfLog & { length: number; images: KeptImages },
  files: SessionFiles,
  lock: { release(): void },
  settings: SessionSettings,
): Session {
  const { state } = from;
  const file = createLogFile(files.log, from.length);
  let { images } = from;
  let begun = from.length > 0;
  let waiting: { text: string; durable: boolean }[] = [];
  let writing = false;
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  const at = () => new Date(settings.now()).toISOString();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const flush = async () => {
    if (!begun || waiting.length === 0) return;
    const taken = waiting;
    waiting = [];
    writing = true;
    try {
      await file.append(
        taken.map(({ text }) => text).join(""),
        taken.some(({ durable }) => durable),
      );
    } catch (cause) {
      waiting = [...taken, ...waiting];
      throw cause;
    } finally {
      writing = false;
    }
  };
  /** `kept` is what the log has of it, where that is less. */
  const add = (record: LogRecord, kept: LogRecord = record) => {
    waiting.push({ text: lineOf(kept), durable: isDurable(record) });
    from.apply(record);
  };
  const commit = async (...records: readonly (readonly [LogRecord, LogRecord?])[]) => {
    if (closing !== undefined) throw new MortiseError("file_failed", { seen: `${files.log}: the session was closed` });
    for (const [record, kept] of records) add(record, kept);
    await inTurn(flush);
  };
  const begin = (message: Message) => {
    if (begun || message.role === "tool") return;
    begun = true;
    const header = { ...state.header, title: titleOf(message.role === "user" ? message.text : "") };
    from.apply(header);
    waiting.unshift({ text: lineOf(header), durable: false });
  };
  /** Half of what is there is a price worth paying for a session that opens fast. */
  const rewrite = async () => {
    if (closing !== undefined || file.length() < settings.rewriteBytes) return;
    const room = createKeptImages(settings.imageChars);
    const text = linesOf(state, at(), room);
    if (Buffer.byteLength(text) * 2 > file.length()) return;
    const taken = waiting;
    waiting = [];
    try {
      await replaceLog(files, text);
    } catch {
      // The old log says the same at more length.
      waiting = [...taken, ...waiting];
      return;
    }
    images = room;
    await file.replaced(Buffer.byteLength(text));
  };
  const append = async (message: Message) => {
    begin(message);
    const [whole, kept] = [recordsOf(message, at(), allImages), recordsOf(message, at(), images)];
    await commit(...whole.map((record, i) => [record, kept[i]] as const));
  };

  return {
    id: state.header.id,
    state,
    saved: () => !writing && (!begun || waiting.length === 0),
    append,
    addResult: (result) => append({ role: "tool", results: [result] }),
    addUsage: (model, usage, costUsd) => commit([{ t: "usage", at: at(), model, usage, costUsd }]),
    addPermission: (decision) => commit([{ ...decision, t: "permission", at: at() }]),
    set: (fields) => commit([{ ...fields, t: "meta", at: at() }]),
    async replace(messages) {
      const before = state.messages;
      const least = Math.min(before.length, messages.length);
      let [head, tail] = [0, 0];
      while (head < least && isSame(before[head], messages[head])) head++;
      while (tail < least - head && isSame(before.at(-1 - tail), messages.at(-1 - tail))) tail++;
      if (head === before.length && head === messages.length) return;
      const insert = messages.slice(head, messages.length - tail);
      const kept = insert.map((message) => keptMessage(message, images));
      const splice = { t: "splice", at: at(), head, insert, tail } as const;
      await commit([splice, { ...splice, insert: kept }]);
      await inTurn(rewrite);
    },
    open: () => from.open(),
    async end(reason, error = null) {
      if (!begun) return;
      const closed = from.open().map((call) => noResult(call));
      if (closed.length > 0) await append({ role: "tool", results: closed });
      await commit([{ t: "end", at: at(), reason, error, title: state.title, messages: state.messages.length, costUsd: costOf(state.usage) }]);
    },
    close() {
      closing ??= inTurn(flush)
        .catch(() => {})
        .then(file.close)
        .finally(lock.release);
      return closing;
    },
  };
}

/** Messages with results are made here; the results in them are whoever's they were. */
function isSame(a: Message | undefined, b: Message | undefined): boolean {
  if (a?.role !== "tool" || b?.role !== "tool") return a === b;
  return a.results.length === b.results.length && a.results.every((result, i) => result === b.results[i]);
}

/** What was done cannot be done again, and what was decided is not asked twice: these survive a crash of the machine. */
function isDurable(record: LogRecord): boolean {
  return (
    record.t === "result" ||
    record.t === "permission" ||
    record.t === "splice" ||
    record.t === "end" ||
    (record.t === "meta" && record.rules !== undefined)
  );
}
