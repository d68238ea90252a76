import type { Audience } from "../../sdk/contract.ts";
import type { Host } from "../host-types.ts";
import type { Model } from "../models/model.ts";
import type { RunLimits, UserInput } from "./backend.ts";
import type { Clock } from "./clock.ts";
import type { CompactionSettings } from "./compaction/settings.ts";
import type { Gauge } from "./gauge.ts";
import type { History } from "./history.ts";
import type { Journal } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import type { RepeatLimits, Timers } from "./limits.ts";
import type { Mailbox, Outcome } from "./mailbox.ts";
import type { Message } from "./message.ts";
import type { Reauth } from "./reauth.ts";
import type { Repeats } from "./repeats.ts";
import type { RunEnd, RunError, SessionEvent, Usage } from "./session-event.ts";
import type { Background } from "./tasks/background.ts";
import type { Pool } from "./tasks/pool.ts";

/** What the loop asks of the host. */
export type AgentHost = Pick<Host, "call" | "definitions" | "agent" | "sessionId" | "cwd">;

/** What lasts from run to run. */
export type AgentState = {
  readonly host: AgentHost;
  readonly sessionId: string;
  readonly taskId: string | undefined;
  readonly audience: Audience;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly history: History;
  readonly gauge: Gauge;
  readonly mailbox: Mailbox;
  /** Said while a run works, and not yet part of the history. */
  readonly said: Said[];
  /** What works beside its runs. */
  readonly background: Background;
  /** What that spent while no run worked: the next one counts it. */
  readonly owed: { model: string; usage: Usage; costUsd: number | null }[];
  /** Asked for while a run works, and not done yet. */
  readonly compactions: WantedCompaction[];
  readonly limits: RunLimits;
  readonly timers: Timers;
  readonly repeatLimits: RepeatLimits;
  readonly compaction: CompactionSettings;
  readonly random: () => number;
  /** Undefined where nobody can give another key. */
  readonly reauth: Reauth | undefined;
  /** Answers whose thinking the provider refused: it is sent back no more. */
  readonly forgotten: WeakSet<Message>;
  readonly instructions: () => string;
  /** Changes take effect with the next request. */
  model: Model;
  readonly summaryModel: Model | undefined;
};

export type Said = { input: UserInput; tell(outcome: Outcome): void };

/** A compaction that a run which works may do on its way. */
export type WantedCompaction = { words: string; signal: AbortSignal; settle(end: { summed: boolean; error: RunError | null }): void };

/** One run, for as long as it lasts. */
export type RunContext = {
  readonly agent: AgentState;
  readonly limits: RunLimits;
  /** Aborted with a MortiseError when the run is stopped, for whatever reason. */
  readonly signal: AbortSignal;
  /** Milliseconds on the clock at which the run is stopped; `Infinity` for never. */
  readonly endsAt: number;
  /** The first reason counts. */
  stop(reason: RunEnd): void;
  stopped(): RunEnd | null;
  emit(event: SessionEvent): void;
  readonly ledger: Ledger;
  /** What its subagents share. */
  readonly pool: Pool;
  readonly repeats: Repeats;
  /** Tools of the last request whose calls may come again. */
  polling: ReadonlySet<string>;
  /** Whether the history has anything of this run. */
  added: boolean;
  /** Messages from here on were answered by no turn. */
  carryFrom: number;
  turns: number;
  /** The text of the last turn. */
  text: string;
  /** In a row. */
  nudges: number;
  continuations: number;
  stopContinuations: number;
  stuckTurns: number;
  /** Compactions in a row that were of no use. */
  futileCompactions: number;
  /** The last compaction: after which turn it came, and whether it is known to be of no use. */
  compacted: { turn: number; futile: boolean } | null;
  /** Whether it was told that what is used is estimated. */
  estimates: boolean;
  /** False once the provider refused earlier thinking. */
  thinking: boolean;
  /** Times in a row that another key was asked for. */
  reauths: number;
  /** Resolves once all that was asked of a person so far is told. */
  prompted: Promise<void>;
  /** Calls that run, by id: to be called when one does something. */
  readonly alive: Map<string, () => void>;
  /** Said or reported meanwhile and sent, but not answered yet. */
  readonly sent: Pick<Said, "tell">[];
  /** Keeps something in the journal; a failure is told once and stops nothing. */
  keep(work: Promise<void>): Promise<void>;
};
