import * as z from "zod/mini";
import { createGlob } from "../capabilities/fs/glob.ts";
import { parseJsonc } from "../config/jsonc.ts";
import type { Effect } from "../permission/permission.ts";
import { commandPattern } from "./command-pattern.ts";
import type { AgentFile } from "./import-rules.ts";
import type { Entry, Meaning } from "./imported.ts";
import { globPattern } from "./path-pattern.ts";

const Action = z.enum(["allow", "ask", "deny"]);
const Permission = z.union([Action, z.record(z.string(), z.union([Action, z.record(z.string(), Action)]))]);
const OrderedRule = z.looseObject({ action: z.string(), resource: z.string(), effect: Action });
const Config = z.looseObject({
  permission: z.optional(Permission),
  permissions: z.optional(z.array(OrderedRule)),
  tools: z.optional(z.record(z.string(), z.boolean())),
  agent: z.optional(z.record(z.string(), z.looseObject({ permission: z.optional(z.unknown()), permissions: z.optional(z.unknown()) }))),
});

/** What each of its permissions is about here. */
const TOOLS: Readonly<Record<string, { tools: readonly string[]; by: "command" | "path" | "nothing" }>> = {
  bash: { tools: ["bash"], by: "command" },
  read: { tools: ["read"], by: "path" },
  edit: { tools: ["write", "edit"], by: "path" },
  write: { tools: ["write"], by: "path" },
  // A pattern for these is about what is looked for.
  glob: { tools: ["glob"], by: "nothing" },
  grep: { tools: ["grep"], by: "nothing" },
  list: { tools: ["list"], by: "path" },
  task: { tools: ["task"], by: "nothing" },
};

/**
 * The `permission` map of `opencode.json`, or the list `permissions` of its second version, where the last pattern that matches counts.
 * Here what denies or asks is stronger wherever it stands.
 */
export async function opencodeEntries(file: AgentFile): Promise<Entry[]> {
  const { layer } = file;
  const { value, lineOf } = parseJsonc(file.source, Config);
  const entries: Entry[] = [];
  /** `rest`: what the patterns after it say. */
  const add = async (key: string, pattern: string, effect: Effect, from: string, rest: readonly Effect[] = []) => {
    const was = pattern === "*" ? `${key}: ${effect}` : `${key}(${pattern}): ${effect}`;
    const meaning = isAll(pattern) ? everything(key, effect, rest.includes("allow")) : await translated(key, pattern, effect, file);
    entries.push({ from, was, layer, effect, ...meaning });
  };
  const { permission = {} } = value;
  if (typeof permission === "string") await add("*", "*", permission, lineOf(["permission"]));
  else {
    for (const [key, said] of Object.entries(permission)) {
      if (typeof said === "string") await add(key, "*", said, lineOf(["permission", key]));
      else {
        const all = counting(said);
        for (const [index, [pattern, effect]] of all.entries()) {
          const rest = all.slice(index + 1).map(([, each]) => each);
          await add(key, pattern, effect, lineOf(["permission", key, pattern]), rest);
        }
      }
    }
  }
  for (const [key, all] of byKey(value.permissions ?? [])) {
    for (const [index, { index: at, resource, effect }] of all.entries()) {
      const rest = all.slice(index + 1).map((each) => each.effect);
      await add(key, resource, effect, lineOf(["permissions", at]), rest);
    }
  }
  for (const [tool, on] of Object.entries(value.tools ?? {})) if (!on) await add(tool, "*", "deny", lineOf(["tools", tool]));
  for (const [name, agent] of Object.entries(value.agent ?? {})) {
    if (agent.permission === undefined && agent.permissions === undefined) continue;
    entries.push({
      from: lineOf(["agent", name]),
      was: `permission of ${name}`,
      layer,
      effect: "allow",
      tools: [],
      patterns: [],
      why: "rules are for every agent here",
    });
  }
  return entries;
}

type Ordered = z.infer<typeof OrderedRule> & { index: number };

/** What counts of ordered rules for each permission, by its name in the first version. A star in an action stands for all that are known here. */
function byKey(rules: readonly z.infer<typeof OrderedRule>[]): [key: string, rules: Ordered[]][] {
  const ordered = rules.map((rule, index): Ordered => ({ ...rule, index }));
  const named = ordered.map(({ action }) => action).filter((action) => !/[*?]/.test(action));
  const actions = [...new Set([...named, ...Object.keys(TOOLS).map((key) => RENAMED[key] ?? key)])];
  return actions.map((action) => {
    const own = ordered.filter((rule) => standsFor(rule.action, action));
    const last = own.findLastIndex(({ resource }) => isAll(resource));
    const key = Object.keys(RENAMED).find((each) => RENAMED[each] === action) ?? action;
    return [key, own.slice(Math.max(last, 0))];
  });
}

/** Actions of the second version whose names are others. */
const RENAMED: Readonly<Record<string, string>> = { bash: "shell", task: "subagent" };

function standsFor(pattern: string, action: string): boolean {
  return createGlob(pattern.replaceAll("/", "-").replace(/[[\]{}]/g, "-"))(action.replaceAll("/", "-"));
}

function isAll(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

/** What stands before the last `*` never counts. */
function counting(map: Readonly<Record<string, Effect>>): [pattern: string, effect: Effect][] {
  const all = Object.entries(map);
  return all.slice(
    Math.max(
      all.findLastIndex(([pattern]) => isAll(pattern)),
      0,
    ),
  );
}

async function translated(key: string, pattern: string, effect: Effect, { root }: AgentFile): Promise<Meaning> {
  const known = TOOLS[key];
  if (known === undefined) return { tools: [], patterns: [], why: OTHERS[key] ?? `there is no tool here that is ${key}` };
  const { tools, by } = known;
  if (/\{(?:env|file):/.test(pattern)) return { tools, patterns: [], why: "what stands for it is not read" };
  if (by === "nothing") return { tools, patterns: [], why: "a rule here is about files" };
  if (by === "command") {
    const made = commandPattern(pattern, effect, "?");
    return "why" in made ? { tools, patterns: [], why: made.why, about: pattern } : { tools, patterns: [made.pattern] };
  }
  const made = await globPattern(pattern, { effect, root, slash: "/" });
  return "why" in made ? { tools, patterns: [], why: made.why } : { tools, patterns: made.patterns };
}

/** There patterns that stand after it take back what it says; here no rule takes back what denies or asks. `taken`: some allow. */
function everything(key: string, effect: Effect, taken: boolean): Meaning {
  const none = (why: string): Meaning => ({ tools: [], patterns: [], why });
  if (effect === "allow") return none("here it would cover files outside of the project too: allow what is needed, or use --yolo");
  if (effect === "ask" && !READERS.has(key)) return none("what no rule covers asks here anyway");
  if (key === "*") return none('the same is "default": "deny" in permissions.jsonc, which rules that allow are above of');
  const tools = TOOLS[key]?.tools ?? [];
  if (tools.length === 0) return none(OTHERS[key] ?? `there is no tool here that is ${key}`);
  if (!taken) return { tools, patterns: ["*"] };
  const defaults = tools.map((tool) => `${JSON.stringify(tool)}: "${effect === "ask" ? "prompt" : "deny"}"`).join(", ");
  return none(`the same is "defaults": { ${defaults} } in permissions.jsonc, which rules that allow are above of`);
}

/** What no rule covers is read here without asking, in the project. */
const READERS = new Set(["read", "list", "glob", "grep"]);

const OTHERS: Readonly<Record<string, string>> = {
  external_directory: "what is outside of the project asks here unless a rule allows it",
  doom_loop: "calls that repeat are nothing that a rule here is about",
};
