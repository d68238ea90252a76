import type { NewRule } from "../permission/generalise.ts";
import type { Effect } from "../permission/permission.ts";
import { createMeeting } from "./meeting.ts";

/** One entry of another agent's file, and what it is here. */
export type Entry = {
  /** `file:line`. */
  from: string;
  /** As it is written there. */
  was: string;
  layer: "user" | "project";
  effect: Effect;
  /** Tools of this host that it is about; none where there is no such tool. */
  tools: readonly string[];
  /** Empty where it has no equal. */
  patterns: readonly string[];
  /** Why it has none, or what is different. */
  why?: string;
  /** How the text begins that an entry without an equal is about; it may be about anything of its tools unless said. */
  about?: string;
};
/** What an entry is here, apart from where it stands. */
export type Meaning = Pick<Entry, "tools" | "patterns" | "why" | "about">;

export type ImportedRule = { rule: NewRule; from: string; was: string; layer: Entry["layer"]; note: string | null };
export type WithoutEqual = { from: string; was: string; why: string };
export type Imported = { rules: ImportedRule[]; without: WithoutEqual[] };

/**
 * Rules that together allow nothing that the entries did not: an allow is left out where a deny or ask that has no equal may be about the same,
 * or where an ask of a lower layer is, which does not count against it here.
 */
export function settle(entries: readonly Entry[]): Imported {
  const imported: Imported = { rules: [], without: [] };
  const whyLeftOut = createRivals(entries);
  for (const entry of entries) {
    const { from, was, layer, effect, tools, patterns, why } = entry;
    const reason = why !== undefined && patterns.length === 0 ? why : effect === "allow" ? whyLeftOut(entry) : undefined;
    if (reason !== undefined) imported.without.push({ from, was, why: reason });
    else if (tools.length === 0 || patterns.length === 0) imported.without.push({ from, was, why: why ?? "there is no such tool here" });
    else {
      for (const tool of tools.flatMap((each) => [each, ...alsoMeant(each, effect)]))
        for (const pattern of patterns) imported.rules.push({ rule: { tool, pattern, effect }, from, was, layer, note: why ?? null });
    }
  }
  return { rules: distinct(imported.rules), without: imported.without };
}

/** Tools here that do the same as another: what is said of one there is meant of them too. */
function alsoMeant(tool: string, effect: Effect): string[] {
  if (tool === "edit") return ["multiedit"];
  return tool === "glob" && effect !== "allow" ? ["list"] : [];
}

/** Why an allow would be wider here than there. */
function createRivals(entries: readonly Entry[]): (allow: Entry) => string | undefined {
  const rivals = entries.filter(({ effect }) => effect !== "allow");
  const lost = createMeeting(rivals.filter(({ patterns }) => patterns.length === 0));
  const below = createMeeting(rivals.filter(({ effect, layer }) => effect === "ask" && layer === "user"));
  return (allow) => {
    const other = lost(allow);
    if (other !== undefined) return `it would allow what ${other.was} (${other.from}) does not, which has no equal`;
    const first = allow.layer === "project" ? below(allow) : undefined;
    return first === undefined ? undefined : `it would be above ${first.was} (${first.from}), which asks first there`;
  };
}

function distinct(rules: readonly ImportedRule[]): ImportedRule[] {
  const seen = new Map<string, ImportedRule>();
  for (const each of rules) {
    const key = JSON.stringify([each.rule, each.layer]);
    if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}
