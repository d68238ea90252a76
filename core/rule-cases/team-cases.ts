import * as z from "zod/mini";
import type { Explanation } from "../permission/explain.ts";
import type { Rule } from "../permission/permission.ts";

const expectation = {
  expect: z.enum(["allow", "ask", "deny"]),
  /** What has to decide it: the pattern or layer of a rule, or a source as `default` or `protected`. */
  by: z.optional(z.string()),
  /** From the project's folder. */
  cwd: z.optional(z.string()),
  yolo: z.optional(z.boolean()),
  note: z.optional(z.string()),
};

/** What a team expects of its rules, for a command of bash or a call of any tool. */
export const TeamCase = z.union([
  z.strictObject({ command: z.string(), ...expectation }),
  z.strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()), ...expectation }),
]);
export type TeamCase = z.infer<typeof TeamCase>;

/** What is wrong about it; undefined where it is as expected. */
export function faultOf({ expect, by }: TeamCase, explanation: Explanation): string | undefined {
  const deciders = decidersOf(explanation);
  if (explanation.decision === expect && (by === undefined || deciders.includes(by))) return undefined;
  const wanted = by === undefined ? expect : `${expect} by ${JSON.stringify(by)}`;
  return `expected ${wanted}, got ${explanation.decision} by ${deciders.map((each) => JSON.stringify(each)).join(", ")}`;
}

/** What a case may name as having decided: patterns and layers of the rules that did, and the source. */
function decidersOf({ decision, source, scopes }: Explanation): string[] {
  const rules = scopes.flatMap(({ effect, rule }): Rule[] => (rule !== null && effect === decision ? [rule] : []));
  return [...new Set([...rules.map(({ pattern = "*" }) => pattern), ...rules.map(({ layer }) => layer), source])];
}
