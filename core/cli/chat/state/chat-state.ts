import type { CallMarks } from "../../../agent/session-event.ts";

/** How loud a notice is. Each is also told by its words, since not every screen has colours. */
export type Tone = "info" | "warning" | "error";

/** One thing in the conversation, as it is shown. `live` ones may still change; their `id` stays. */
export type Entry = { readonly id: number; readonly live: boolean } & (
  | { kind: "user"; text: string; images: number; from: "you" | "report" | "plugin"; rewrittenBy: string | null }
  | { kind: "answer"; text: string }
  | { kind: "thinking"; text: string }
  | { kind: "tool"; row: ToolRow }
  | { kind: "notice"; tone: Tone; text: string }
);

/**
 * `written`: the model writes the call, or it waits to be run; `asked`: a person is asked about it; `stopped`: the run ended before it did.
 */
export type RowState = "written" | "asked" | "running" | "ok" | "error" | "stopped";

/** A tool call, as it goes on. */
export type ToolRow = {
  readonly toolId: string;
  readonly tool: string;
  /** What it is about, on one line, without the tool's name. */
  readonly about: string;
  readonly state: RowState;
  /** Milliseconds since 1970. */
  readonly begunAt: number | null;
  readonly durationMs: number | null;
  /** The last of what it prints while it runs. */
  readonly output: string;
  /** Its result. */
  readonly text: string;
  readonly images: number;
  readonly marks: CallMarks | null;
  /** What was noticed about it, as that it goes round in circles. */
  readonly remarks: readonly string[];
  /** Subagents that it started. */
  readonly children: readonly ChildRun[];
};

/** A subagent under the call that started it. */
export type ChildRun = {
  readonly name: string;
  readonly rows: readonly ToolRow[];
  /** The last it said. */
  readonly said: string;
  readonly remarks: readonly string[];
  readonly over: boolean;
};

/** A message that was sent, and is not in the history yet. */
export type Queued = { readonly id: number; readonly text: string };

/** A command of the person's that goes on, as `!npm test`. */
export type Going = { readonly id: symbol; readonly text: string; readonly since: number };

export type Working = {
  readonly since: number;
  readonly what: "waiting" | "thinking" | "answering" | "calling" | "compacting";
  readonly retry: { attempt: number; at: number } | null;
  /** Spent by the run so far. */
  readonly costUsd: number | null;
};

export type ChatState = {
  readonly entries: readonly Entry[];
  /** The id of the next entry. */
  readonly nextId: number;
  readonly queued: readonly Queued[];
  readonly commands: readonly Going[];
  /** Null where nothing runs. */
  readonly working: Working | null;
  /** Names of subagents that work in the background. */
  readonly tasks: readonly string[];
  readonly model: string;
  readonly context: { tokens: number; window: number };
  /** Of all runs before the one that works, US dollars; null where no price is known. */
  readonly costUsd: number | null;
  readonly title: string | null;
  /** Who asks, by the id of what is asked: the name of a subagent. */
  readonly askers: Readonly<Record<string, string>>;
};

export type Opening = Pick<ChatState, "model" | "context" | "costUsd" | "title">;

export function initialState(opening: Opening): ChatState {
  return { ...opening, entries: [], nextId: 1, tasks: [], queued: [], commands: [], working: null, askers: {} };
}

/** Everything that is spent so far. */
export function costSoFar({ costUsd, working }: ChatState): number | null {
  const now = working?.costUsd ?? null;
  return costUsd === null ? now : costUsd + (now ?? 0);
}

/** A row before anything of the call is known. */
export function newRow(toolId: string, tool: string, about = ""): ToolRow {
  return {
    toolId,
    tool,
    about,
    state: "written",
    begunAt: null,
    durationMs: null,
    output: "",
    text: "",
    images: 0,
    marks: null,
    remarks: [],
    children: [],
  };
}
