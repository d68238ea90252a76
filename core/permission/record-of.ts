import { ruleText } from "./denial.ts";
import type { PermissionRecord, ScopeDecision } from "./permission.ts";

/** How a call was decided, for its record. */
export function recordOf(decision: PermissionRecord["decision"], source: string, decisions: readonly ScopeDecision[]): PermissionRecord {
  return {
    decision,
    source,
    scopes: decisions.map(({ scope, effect, rule }) => ({
      kind: scope.kind,
      text: scope.text,
      effect: scope.protected && effect !== "deny" ? "protected" : effect,
      rule: rule === null ? null : ruleText(rule),
    })),
  };
}
