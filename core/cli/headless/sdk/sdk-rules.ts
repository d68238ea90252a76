import { MortiseError } from "../../../../sdk/errors.ts";
import { claudeRule } from "../../../imported-rules/claude.ts";
import type { Effect } from "../../../permission/permission.ts";
import { ownName } from "../tool-names.ts";

export type SdkLists = { sdkTools?: readonly string[]; sdkAllow?: readonly string[]; sdkDeny?: readonly string[] };

/** What lists of tools mean that a program of the SDK gives: which tools are there, and which rules count for this run. */
export type SdkRules = {
  offers(tool: string): boolean;
  rules: { tool: string; pattern: string; effect: Effect }[];
  /** What was allowed there and is asked about here. */
  warnings: string[];
};

/** Throws `usage` for what is forbidden and cannot be said here: passing over it would allow it. */
export async function sdkRules({ sdkTools, sdkAllow = [], sdkDeny = [] }: SdkLists, root: string): Promise<SdkRules> {
  const only = sdkTools === undefined || sdkTools.includes("default") ? undefined : new Set(sdkTools.flatMap(named));
  const without = new Set(sdkDeny.filter((each) => !each.includes("(")).flatMap(named));
  const rules: SdkRules["rules"] = [];
  const warnings: string[] = [];
  for (const was of sdkDeny.filter((each) => each.includes("("))) {
    const { tools, patterns, why } = await claudeRule(was, "deny", root);
    if (why !== undefined || tools.length === 0 || patterns.length === 0)
      throw new MortiseError("usage", { seen: `${was} is forbidden, and cannot be said as a rule here: ${why ?? "it names nothing"}` });
    rules.push(...patterns.flatMap((pattern) => tools.map((tool) => ({ tool, pattern, effect: "deny" as const }))));
  }
  for (const was of sdkAllow) {
    const { tools, patterns, why } = await claudeRule(was, "allow", root);
    if (why !== undefined || patterns.length === 0) warnings.push(`${was} is not allowed beforehand: ${why ?? "it names nothing"}.`);
    else rules.push(...patterns.flatMap((pattern) => tools.map((tool) => ({ tool, pattern, effect: "allow" as const }))));
  }
  return { offers: (tool) => (only === undefined || only.has(tool)) && !without.has(tool), rules, warnings };
}

/** Where a tool there is several here, all of them. */
function named(name: string): string[] {
  return name === "Edit" ? ["edit", "multiedit"] : [ownName(name)];
}
