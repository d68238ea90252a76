import { join } from "node:path";
import type { Node } from "jsonc-parser";
import * as z from "zod/mini";
import type { Rule } from "../permission/permission.ts";
import type { Project } from "./folders.ts";
import { parseTolerant, placeIssues, placeOf, plainValue, printProblems, type Source, sourceOf } from "./jsonc.ts";
import { RuleLine } from "./permissions-file.ts";
import type { Trust } from "./trust.ts";

/** What counts of a project that nobody trusts: its deny rules that parse. Everything else about it is a warning. */
export function denyRulesOf(project: Project, trust: Trust): { rules: Rule[]; warnings: string[] } {
  if (trust.state === "nothing" || project.folder === null) return { rules: [], warnings: [] };
  const why = trust.state === "changed" ? "has changed since it was trusted" : "is not trusted";
  const first = `${project.folder} ${why}, so only its deny rules count; \`mortise trust add\` shows ${trust.state === "changed" ? "what changed" : "it"} and asks`;
  const bytes = trust.files.get("permissions.jsonc");
  const warnings = [first, ...trust.refused];
  if (bytes === undefined) return { rules: [], warnings };
  try {
    const source = sourceOf(join(project.folder, "permissions.jsonc"), bytes);
    const { rules, broken } = salvage(source);
    return { rules, warnings: broken === "" ? warnings : [...warnings, broken] };
  } catch (cause) {
    return { rules: [], warnings: [...warnings, cause instanceof Error ? cause.message : String(cause)] };
  }
}

/** Reads rule by rule, so that a mistake in one place does not drop a deny rule in another. */
function salvage(source: Source): { rules: Rule[]; broken: string } {
  const { tree, problems } = parseTolerant(source);
  const lists = (tree?.type === "object" ? (tree.children ?? []) : []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key?.value === "rules" && value?.type === "array" ? [value] : [];
  });
  const rules: Rule[] = [];
  const whole = (node: Node) => !problems.some(({ offset }) => offset >= node.offset && offset < node.offset + node.length);
  for (const node of lists.flatMap((list) => list.children ?? []).filter(whole)) {
    const parsed = z.safeParse(RuleLine, plainValue(node));
    if (!parsed.success) problems.push(...placeIssues(node, RuleLine, parsed.error.issues));
    else if (parsed.data.effect === "deny") {
      const { tool, pattern, effect } = parsed.data;
      const from = `${source.path}:${placeOf(source.text, node.offset).line}`;
      rules.push({ tool, ...(pattern === undefined ? {} : { pattern }), effect, layer: "project", from });
    }
  }
  return { rules, broken: printProblems(source, problems) };
}
