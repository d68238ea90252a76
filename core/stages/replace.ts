import type { ActiveCall } from "../active-call.ts";
import type { Core } from "../core.ts";
import { checkInput } from "../input.ts";
import type { ScopeList } from "../permission/permission.ts";
import type { Decision } from "../permission/permissions.ts";
import { plainJson } from "../plain-json.ts";
import { judgeStage } from "./judges.ts";
import { scopesStage } from "./permit.ts";

type Input = Record<string, unknown>;

/** What becomes of an input that a person gave in the place of the one they were asked about. */
export type Replaced =
  | { kind: "runs"; input: Input; list: ScopeList }
  | { kind: "stopped"; input: Input; plugin: string; reason: string }
  | { kind: "denied"; input: Input; decision: Decision };

/**
 * Judges what a person allowed instead: the schema, judges and rules that deny hold for it as for any other. A judge that asks about it denies,
 * since nobody has answered that.
 * @throws MortiseError `invalid_input`, and what judges and scopes throw.
 */
export async function replaceInput(core: Core, call: ActiveCall, given: Input): Promise<Replaced> {
  const input = checkInput(call.tool, plainJson(given));
  const judged = await judgeStage(core, call, input);
  const against = [...judged.denied, ...judged.asks];
  const [first] = against;
  if (first !== undefined) return { kind: "stopped", input, plugin: first.plugin, reason: against.map(({ reason }) => reason).join("\n") };
  const list = await scopesStage(core, call, input);
  const decision = await core.permissions.deniedByRule({ tool: call.tool.name, sessionId: call.sessionId, list });
  return decision === undefined ? { kind: "runs", input, list } : { kind: "denied", input, decision };
}
