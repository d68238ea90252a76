import "./node-version.mjs";

export { type Code, codes, MortiseError } from "../sdk/errors.ts";
export type { AskedSource, Completion, CompletionRequest, CompletionRow, FoundSource } from "./completion/completion-types.ts";
export { createHost } from "./host.ts";
export type {
  CallRequest,
  CommandInfo,
  GrantQuestion,
  Host,
  HostOptions,
  LogEntry,
  NativeAnswer,
  NativeTool,
  PluginInfo,
  PluginSource,
  Problem,
  ScopesAnswer,
  ToolInfo,
} from "./host-types.ts";
export type { Explanation } from "./permission/explain.ts";
export type { Asker, Effect, PermissionRecord, PromptAnswer, PromptRequest, Rule, Scope } from "./permission/permission.ts";
export type { Person, PersonRequest } from "./person.ts";
export type { CallRecord, TraceEntry } from "./record.ts";
