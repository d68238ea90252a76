import type { AgentAnswer, AgentLimits, ModelTier } from "../../../sdk/api.ts";
import type { Audience } from "../../../sdk/contract.ts";
import type { Background } from "./background.ts";

/** What has models work for the calls of one session, or of one subagent. */
export type Driver = {
  /** Throws MortiseError `not_here`, `wrong_argument`, `unknown_model`, `too_deep`. Nothing is asked of a model yet. */
  open(request: ChildRequest, call: ChildCall): Promise<Child>;
  /** The same for a layer that answers for a person: without tools. */
  consult(request: ConsultRequest, call: ConsultCall): Promise<Child>;
  /** What works on when its call is over. A subagent has none. */
  background?: Pick<Background, "start" | "list" | "wait" | "stop" | "endPlugin">;
};

/** A conversation to open, as a plugin asked for it. */
export type ChildRequest = {
  name: string;
  instructions?: string | undefined;
  /** Without one it has no tools. */
  audience?: "research" | "general" | undefined;
  tier?: ModelTier | undefined;
  /** Its very model, of whatever tier. */
  model?: string | undefined;
  /** It is to work on when the call that opened it is over. */
  background?: boolean | undefined;
  outputSchema?: Record<string, unknown> | undefined;
  limits: { [K in keyof AgentLimits]: AgentLimits[K] | undefined };
  live: boolean;
  places: number;
  /** False for a tool whose price whoever asks for it does not hold. */
  mayUse(tool: string): boolean;
};

export type ConsultRequest = Pick<ChildRequest, "instructions" | "tier" | "limits">;

/** The prompt that it is for. */
export type ConsultCall = Pick<ChildCall, "signal" | "remainingMs">;

/** The call that it is for. */
export type ChildCall = {
  toolId: string;
  /** What the caller's own model knows the call by. */
  callerId: string | undefined;
  /** How deeply plugin code made it. */
  depth: number;
  audience: Audience;
  cwd: string;
  yolo: boolean | undefined;
  signal: AbortSignal;
  remainingMs(): number;
  /** Stops the clock of the call until the returned function is called. */
  pause(): () => void;
  /** Shows text while the call runs. */
  live(text: string): void;
};

/** A conversation beside the one that the call is part of. */
export type Child = {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly tier: ModelTier;
  readonly clamped: boolean;
  /** Resolves with what there is, also where it is stopped. Rejects with the call's reason where it never began. */
  prompt(text: string): Promise<AgentAnswer>;
  /** What it said that is worth anything, as far as it came. */
  partial(): string;
  /** Stops it with all that it left running. Twice is once. */
  close(): Promise<void>;
};
