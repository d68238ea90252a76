import type { SessionEvent } from "../../../agent/session-event.ts";
import { factsOf } from "../../headless/run-end.ts";
import type { ChatState, Entry, Opening, Tone, Working } from "./chat-state.ts";
import { initialState } from "./chat-state.ts";
import { entriesOf, type PastOptions } from "./past.ts";
import { isCallEvent, kept, reduceRows } from "./rows.ts";

/** What happens in a chat: what a run tells, and what the chat itself does. */
export type ChatEvent = SessionEvent | LocalEvent;

export type LocalEvent =
  /** A person sent a message; it is in the history once the run says so. */
  | { type: "sent"; id: number; text: string }
  /** It will not be in the history, or is not to be waited for. */
  | { type: "unsent"; id: number }
  /** A command of the person's begins, or is over. */
  | { type: "command_start"; id: symbol; text: string }
  | { type: "command_end"; id: symbol }
  | { type: "said"; tone: Tone; text: string }
  | { type: "opened"; opening: Opening; past: PastOptions | null }
  /** What works in the background, whenever that changes. */
  | { type: "tasks"; names: readonly string[] }
  | { type: "model"; model: string; window: number };

/** Entries that are remembered, and how many are left once they are more: the terminal itself keeps what was shown before. */
const MAX_ENTRIES = 600;
const LEFT_ENTRIES = 300;

/** The state after an event. Pure. @param now Milliseconds since 1970. */
export function reduce(state: ChatState, event: ChatEvent, now: number): ChatState {
  const next = step(state, event, now);
  if (next.entries.length <= MAX_ENTRIES) return next;
  return { ...next, entries: next.entries.slice(-LEFT_ENTRIES) };
}

function step(state: ChatState, event: ChatEvent, now: number): ChatState {
  if (isCallEvent(event)) return working(onRows(state, event, now), event);
  switch (event.type) {
    case "opened": {
      const opened = { ...initialState(event.opening), nextId: state.nextId, entries: state.entries };
      return (event.past === null ? [] : entriesOf(event.past)).reduce((all, entry) => add(all, entry), opened);
    }
    case "sent":
      return { ...state, queued: [...state.queued, { id: event.id, text: event.text }] };
    case "unsent":
      return { ...state, queued: state.queued.filter(({ id }) => id !== event.id) };
    case "command_start":
      return { ...state, commands: [...state.commands, { id: event.id, text: event.text, since: now }] };
    case "command_end":
      return { ...state, commands: state.commands.filter(({ id }) => id !== event.id) };
    case "said":
      return say(state, event.tone, event.text);
    case "tasks":
      return { ...state, tasks: event.names };
    case "model":
      return { ...state, model: event.model, context: { ...state.context, window: event.window } };
    case "run_start":
      return { ...state, model: event.model, working: { since: now, what: "waiting", retry: null, costUsd: null } };
    case "user_message": {
      const from = event.source === "mailbox" ? "report" : event.source === "plugin" ? "plugin" : "you";
      const { text, images, rewrittenBy } = event;
      const left = from === "you" ? state.queued.slice(1) : state.queued;
      return add({ ...state, queued: left }, { kind: "user", text, images, from, rewrittenBy, live: false });
    }
    case "message_dropped": {
      const who = event.plugin === null ? "The message was dropped" : `${event.plugin} dropped the message`;
      return say({ ...state, queued: state.queued.slice(1) }, "warning", `${who}: ${event.reason}`);
    }
    case "turn_start":
      return doing(state, { what: "waiting", retry: null });
    case "text_delta":
      return doing(stream(state, "answer", event.text), { what: "answering", retry: null });
    case "thinking_delta":
      return doing(stream(state, "thinking", event.text), { what: "thinking", retry: null });
    case "turn_end":
      return endTurn(state, event);
    case "retry":
      return retry(state, event, now);
    case "nudge":
      return say(state, "info", "The model answered nothing, and was asked to go on.");
    case "compact_start": {
      const why = { auto: "it grew long", overflow: "it no longer fits the model", manual: "you asked for it" }[event.reason];
      return doing(say(state, "info", `The conversation is being summarised, since ${why}.`), { what: "compacting" });
    }
    case "compact_done": {
      const { before, after, contextWindow } = event;
      const told = say(state, "info", `Summarised: ${thousands(before)} tokens became ${thousands(after)}.`);
      return doing({ ...told, context: { tokens: after, window: contextWindow } }, { what: "waiting" });
    }
    case "continued":
      return say(state, "info", `${event.by} made the model go on: ${event.text}`);
    case "notice":
      return say(state, event.code === "not_saved" ? "error" : "warning", event.text);
    case "title":
      return { ...state, title: event.title };
    case "done":
      return endRun(state, event);
    default:
      return state;
  }
}

/** The entries with one more. */
export function add(state: ChatState, entry: Omit<Entry, "id"> & NewEntry): ChatState {
  return { ...state, nextId: state.nextId + 1, entries: [...state.entries, { ...entry, id: state.nextId }] };
}

type Unnumbered<E> = E extends Entry ? Omit<E, "id"> : never;
export type NewEntry = Unnumbered<Entry>;

function say(state: ChatState, tone: Tone, text: string): ChatState {
  return add(state, { kind: "notice", tone, text: kept(text), live: false });
}

function doing(state: ChatState, change: Partial<Working>): ChatState {
  return state.working === null ? state : { ...state, working: { ...state.working, ...change } };
}

function working(state: ChatState, event: SessionEvent): ChatState {
  return event.type === "tool_pending" || event.type === "tool_start" ? doing(state, { what: "calling", retry: null }) : spentBelow(state, event);
}

/** What a subagent spent is part of what its run costs. */
function spentBelow(state: ChatState, event: SessionEvent): ChatState {
  if (event.type !== "child") return state;
  return event.event.type === "turn_end" ? spend(state, event.event.costUsd) : spentBelow(state, event.event);
}

function spend(state: ChatState, costUsd: number | null): ChatState {
  if (state.working === null || costUsd === null) return state;
  return doing(state, { costUsd: (state.working.costUsd ?? 0) + costUsd });
}

function onRows(state: ChatState, event: SessionEvent, now: number): ChatState {
  const { entries, added, asker } = reduceRows(state.entries, event, now);
  const askers = asker === undefined ? state.askers : { ...state.askers, [asker.askId]: asker.child };
  return added.reduce((all, row) => add(all, { kind: "tool", row, live: row.state !== "ok" && row.state !== "error" }), {
    ...state,
    entries,
    askers,
  });
}

/** More of what the model writes: to what it wrote last, or anew. */
function stream(state: ChatState, kind: "answer" | "thinking", text: string): ChatState {
  const last = state.entries.at(-1);
  if (last?.kind === kind && last.live) return { ...state, entries: [...state.entries.slice(0, -1), { ...last, text: last.text + text }] };
  return text.trim() === "" ? state : add(state, { kind, text, live: true });
}

type TurnEnd = Extract<SessionEvent, { type: "turn_end" }>;

function endTurn(state: ChatState, { text, model, costUsd, contextTokens, contextWindow, calls = [] }: TurnEnd): ChatState {
  const answers = state.entries.filter(({ kind, live }) => live && kind === "answer");
  const [only] = answers;
  const entries = state.entries.map((entry) => {
    if (!entry.live || entry.kind === "tool") return entry;
    // What is kept is said once, also where parts of it came otherwise.
    return entry === only && answers.length === 1 && entry.kind === "answer" ? { ...entry, text, live: false } : { ...entry, live: false };
  });
  const ended = { ...state, entries, model, context: { tokens: contextTokens, window: contextWindow } };
  const told = answers.length === 0 && text.trim() !== "" ? add(ended, { kind: "answer", text, live: false }) : ended;
  return calls.reduce((all, call) => onRows(all, { type: "tool_pending", ...call }, 0), spend(told, costUsd));
}

/** What the failed attempt wrote counts for nothing. */
function retry(state: ChatState, event: Extract<SessionEvent, { type: "retry" }>, now: number): ChatState {
  const entries = state.entries.filter((entry) => !entry.live || (entry.kind === "tool" && entry.row.state !== "written"));
  const told = say({ ...state, entries }, "warning", `The model failed: ${event.message}`);
  return doing(told, { what: "waiting", retry: { attempt: event.attempt, at: now + event.delayMs } });
}

function endRun(state: ChatState, done: Extract<SessionEvent, { type: "done" }>): ChatState {
  const isCall = (entry: Entry) => entry.live && entry.kind === "tool";
  const over = state.entries.filter((entry) => !isCall(entry)).map((entry) => (entry.live ? { ...entry, live: false } : entry));
  const stopped = state.entries.filter(isCall).map((entry): Entry => {
    return entry.kind === "tool" ? { ...entry, live: false, row: { ...entry.row, state: "stopped" } } : entry;
  });
  const entries = [...over, ...stopped];
  const cost = state.costUsd === null ? done.costUsd : state.costUsd + (done.costUsd ?? 0);
  const context = { tokens: done.contextTokens, window: done.contextWindow };
  const ended = { ...state, entries, working: null, costUsd: cost, context, askers: {} };
  // Whoever dropped the message has said why.
  if (done.reason === "dropped" || done.reason === "end_turn" || done.reason === "compact") {
    return done.error === null ? ended : say(ended, "error", done.error.message);
  }
  const says = done.error?.message ?? factsOf(done).says ?? "The run ended.";
  return say(ended, done.reason === "error" ? "error" : "warning", says);
}

function thousands(tokens: number): string {
  return tokens < 10_000 ? `${tokens}` : `${Math.round(tokens / 1000)}k`;
}
