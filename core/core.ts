import type { Autocmds } from "./autocmds/autocmds.ts";
import type { Calls } from "./calls.ts";
import type { Capabilities } from "./capabilities/capabilities.ts";
import type { Contexts } from "./contexts.ts";
import type { Conversations } from "./conversations.ts";
import type { Foreseen } from "./foreseen.ts";
import type { Isolates, Limits } from "./isolate/isolates.ts";
import type { TruncateLimits } from "./output/truncate.ts";
import type { Permissions } from "./permission/permissions.ts";
import type { Persons } from "./person.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";
import type { CallRecord, Firing } from "./record.ts";
import type { Layers } from "./slots/layers.ts";
import type { Tool } from "./tools.ts";
import type { WrittenFiles } from "./written-files.ts";

/** What the steps of a call stand on. */
export type Core = {
  cwd: string;
  sessionId: string;
  isolates: Isolates;
  capabilities: Capabilities;
  permissions: Permissions;
  persons: Persons;
  conversations: Conversations;
  contexts: Contexts;
  foreseen: Foreseen;
  calls: Calls;
  autocmds: Autocmds;
  files: WrittenFiles;
  plugins(): readonly LoadedPlugin[];
  tools(): readonly Tool[];
  layers(): Layers;
  /** Slice and budget of the config over those of the contract. */
  limits(spec: { sliceMs: number; budgetMs: number }, windowMs: number): Limits;
  /** How much of a tool's text the model sees. */
  outputLimits(tool: string): TruncateLimits;
  /** Where texts that the model sees a part of are kept whole. */
  spillFolder: string;
  /** Called with the path of each spill: the model may read it. */
  onSpill(path: string): void;
  onRecord(record: CallRecord): void;
  /** Keeps what layers did beside calls, in the order in which it is told. It is made, redacted, where it is kept. */
  onFiring(sessionId: string, make: () => Promise<Firing>): void;
};
