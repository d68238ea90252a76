import type { Image } from "../../sdk/api.ts";
import type { Message } from "../agent/message.ts";
import type { Usage } from "../agent/session-event.ts";
import { createHistory } from "./history.ts";
import type { Header, ImageFact, LogRecord, QueuedMessage, RecordOf, SessionRule } from "./records.ts";
import type { Call } from "./valid-history.ts";

/** What a model was used for in a session. `costUsd` is at the prices of the time; null where none was known. */
export type ModelUsage = { usage: Usage; costUsd: number | null };

/** What is known of a session. Live: it changes as records come. */
export type SessionState = {
  readonly header: Header;
  readonly title: string;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly usage: ReadonlyMap<string, ModelUsage>;
  readonly context: { tokens: number; window: number } | null;
  readonly rules: readonly SessionRule[];
  /** What was decided about calls, oldest first. */
  readonly permissions: readonly RecordOf<"permission">[];
  readonly queued: readonly QueuedMessage[];
  /** How the last run ended; null while one runs, or was interrupted. */
  readonly ended: RecordOf<"end"> | null;
  /** When the last record was made. */
  readonly updated: string;
};

export type StateOfLog = {
  state: SessionState;
  apply(record: LogRecord): void;
  /** Calls without a result. */
  open(): Call[];
  /** Results that came without a call. */
  dropped(): number;
};

/** Follows a log: the state after each of its records. The first message may bring the header anew, with a title. */
export function createState(header: Header): StateOfLog {
  const history = createHistory();
  const usage = new Map<string, ModelUsage>();
  const permissions: RecordOf<"permission">[] = [];
  let dropped = 0;
  const state: { -readonly [Field in keyof SessionState]: SessionState[Field] } = {
    header,
    title: header.title,
    model: header.model,
    messages: history.messages,
    usage,
    context: null,
    rules: [],
    permissions,
    queued: [],
    ended: null,
    updated: header.created,
  };
  const apply = (record: LogRecord) => {
    if (record.t === "header") {
      if (state.title === state.header.title) state.title = record.title;
      state.header = record;
      return;
    }
    state.updated = record.at;
    if (record.t !== "meta" && record.t !== "end") state.ended = null;
    switch (record.t) {
      case "message":
        return history.add(withNote(record.message, record.left));
      case "result":
        if (!history.addResult(withNote(record.result, record.left))) dropped++;
        return;
      case "splice":
        return history.splice(record.head, record.insert, record.tail);
      case "usage":
        usage.set(record.model, sum(usage.get(record.model), record));
        return;
      case "permission":
        permissions.push(record);
        return;
      case "end":
        state.ended = record;
        return;
      case "meta":
        state.title = record.title ?? state.title;
        state.model = record.model ?? state.model;
        state.context = record.context ?? state.context;
        state.rules = record.rules ?? state.rules;
        state.queued = record.queued ?? state.queued;
    }
  };
  return { state, apply, open: history.open, dropped: () => dropped };
}

/** What all models of a session cost together; null where no price was known. */
export function costOf(usage: ReadonlyMap<string, ModelUsage>): number | null {
  return [...usage.values()].reduce<number | null>((all, { costUsd }) => added(all, costUsd), null);
}

/** Whoever reads on is told what is not there any more. */
export function withNote<Told extends { text: string; images?: readonly Image[] } | Message>(
  told: Told,
  left: readonly ImageFact[] | undefined,
): Told {
  if (left === undefined || left.length === 0 || !("text" in told)) return told;
  const facts = left.map(({ mediaType, bytes }) => `${mediaType}, ${bytes} bytes`).join("; ");
  return { ...told, text: `${told.text}${told.text === "" ? "" : "\n"}[images that were not kept with the session: ${facts}]` };
}

function sum(before: ModelUsage | undefined, { usage, costUsd }: RecordOf<"usage">): ModelUsage {
  if (before === undefined) return { usage, costUsd };
  const { input, output, cacheRead, cacheWrite } = before.usage;
  return {
    usage: {
      input: input + usage.input,
      output: output + usage.output,
      cacheRead: cacheRead + usage.cacheRead,
      cacheWrite: cacheWrite + usage.cacheWrite,
    },
    costUsd: added(before.costUsd, costUsd),
  };
}

function added(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
