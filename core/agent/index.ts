import "../node-version.mjs";

export type { LanguageModel, Model, Price } from "../models/model.ts";
export { type OpenOptions, openModel } from "../models/open-model.ts";
export type { ModelSettings } from "../models/settings.ts";
export { type Agent, type AgentOptions, createAgent } from "./agent.ts";
export type { AgentHost } from "./agent-state.ts";
export type { Backend, Run, RunLimits, UserInput } from "./backend.ts";
export type { Clock } from "./clock.ts";
export type { CompactionSettings } from "./compaction/settings.ts";
export type { Journal } from "./journal.ts";
export type { RepeatLimits, Timers } from "./limits.ts";
export { notify, type Outcome } from "./mailbox.ts";
export type { AssistantPart, Message, ToolResultPart } from "./message.ts";
export type { AuthRequired, Reauth } from "./reauth.ts";
export type { CurrentRun } from "./run-context.ts";
export type { CallMarks, MessageSource, RunEnd, RunError, SessionEvent, Usage } from "./session-event.ts";
