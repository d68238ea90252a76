import "./node-version.mjs";

export { type Code, codes, MortiseError } from "../sdk/errors.ts";
export { createHost } from "./host.ts";
export type {
  CallRequest,
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
export type { Asker, Effect, PermissionRecord, PromptAnswer, PromptRequest, Scope } from "./permission/permission.ts";
export type { Person, PersonRequest } from "./person.ts";
export type { CallRecord, TraceEntry } from "./record.ts";
