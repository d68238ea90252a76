import * as z from "zod/mini";
import { createGlob } from "../capabilities/fs/glob.ts";
import { parseJsonc } from "../config/jsonc.ts";
import type { Effect } from "../permission/permission.ts";
import { commandPattern } from "./command-pattern.ts";
import type { AgentFile } from "./import-rules.ts";
import type { Entry, Meaning } from "./imported.ts";
import { parseToml, type TomlTable, type TomlValue } from "./toml.ts";

/** The rules of Gemini CLI: `tools` of `settings.json`, and policies in TOML. */
export async function geminiEntries(file: AgentFile): Promise<Entry[]> {
  return file.source.path.endsWith(".toml") ? ofPolicies(file) : ofSettings(file);
}

const List = z.optional(z.array(z.string()));
const Settings = z.looseObject({
  tools: z.optional(z.looseObject({ core: List, allowed: List, exclude: List })),
  coreTools: List,
  allowedTools: List,
  excludeTools: List,
});

/** Its tools, by the name of those here that do the same. */
const TOOLS: Readonly<Record<string, string>> = {
  run_shell_command: "bash",
  ShellTool: "bash",
  read_file: "read",
  ReadFileTool: "read",
  read_many_files: "read",
  write_file: "write",
  WriteFileTool: "write",
  replace: "edit",
  EditTool: "edit",
  glob: "glob",
  GlobTool: "glob",
  list_directory: "glob",
  search_file_content: "grep",
  grep_search: "grep",
  GrepTool: "grep",
};

function ofSettings({ source, layer }: AgentFile): Entry[] {
  const { value, lineOf } = parseJsonc(source, Settings);
  const entries: Entry[] = [];
  const lists: [keys: [string, string] | [string], effect: Effect, list: readonly string[]][] = [
    [["tools", "exclude"], "deny", value.tools?.exclude ?? []],
    [["excludeTools"], "deny", value.excludeTools ?? []],
    [["tools", "allowed"], "allow", value.tools?.allowed ?? []],
    [["allowedTools"], "allow", value.allowedTools ?? []],
  ];
  for (const [keys, effect, list] of lists) {
    for (const [index, was] of list.entries()) entries.push({ from: lineOf([...keys, index]), was, layer, effect, ...named(was, effect) });
  }
  for (const [keys, core] of [
    [["tools", "core"], value.tools?.core],
    [["coreTools"], value.coreTools],
  ] as const) {
    if (core !== undefined) entries.push(...ofCore(core, { from: lineOf([...keys]), layer }));
  }
  return entries;
}

/** Tools that a list of the only ones there are leaves out are denied. */
function ofCore(core: readonly string[], { from, layer }: Pick<Entry, "from" | "layer">): Entry[] {
  const kept = new Set(core.map((each) => TOOLS[/^\w+/.exec(each)?.[0] ?? ""]));
  const gone = [...new Set(Object.values(TOOLS))].filter((tool) => !kept.has(tool));
  const narrowed = core.filter((each) => each.includes("("));
  return [
    ...(gone.length === 0 ? [] : [{ from, was: `without ${gone.join(", ")}`, layer, effect: "deny" as const, tools: gone, patterns: ["*"] }]),
    ...narrowed.map((was): Entry => {
      const why = 'what no rule covers asks here; "defaults": { "bash": "deny" } in permissions.jsonc denies it';
      return { from, was, layer, effect: "allow", tools: [], patterns: [], why };
    }),
  ];
}

function named(was: string, effect: Effect): Meaning {
  const [, name = was, prefix] = /^(\w+)(?:\(([\s\S]*)\))?$/.exec(was) ?? [];
  const tool = TOOLS[name];
  if (tool === undefined) return { tools: [], patterns: [], why: `there is no tool here that is ${name}` };
  if (prefix === undefined || prefix === "" || prefix === "*") return whole(tool, effect);
  if (tool !== "bash") return { tools: [tool], patterns: [], why: "only commands have an argument there" };
  return ofPrefix(prefix, effect);
}

function whole(tool: string, effect: Effect): Meaning {
  if (effect !== "allow" || (tool !== "bash" && tool !== "*")) return { tools: [tool], patterns: ["*"] };
  return { tools: [tool], patterns: [], why: "here it would cover files outside of the project too: allow single commands, or use --yolo" };
}

/** What a command begins with: whole words where that allows, any text where it denies. */
function ofPrefix(prefix: string, effect: Effect): Meaning {
  const made = prefix.includes("*")
    ? { why: "* is a character like any other there" }
    : commandPattern(effect === "allow" ? `${prefix.trim()} *` : `${prefix}*`, effect);
  return "why" in made ? { tools: ["bash"], patterns: [], why: made.why, about: prefix } : { tools: ["bash"], patterns: [made.pattern] };
}

const DECISIONS: Readonly<Record<string, Effect>> = { allow: "allow", deny: "deny", ask_user: "ask" };

function ofPolicies({ source, layer }: AgentFile): Entry[] {
  const { value, lineOf } = parseToml(source);
  if (value.rule === undefined) return [];
  return [value.rule].flat().map((rule) => {
    // One pair of brackets makes a table of its own, and no rule in the list.
    if (!isTable(rule) || !Array.isArray(value.rule)) return { ...noRule, from: `${source.path}:1`, was: `rule ${JSON.stringify(rule)}`, layer };
    const was = brief(rule);
    const effect = DECISIONS[String(rule.decision)];
    const base = { from: `${source.path}:${lineOf(rule)}`, was, layer };
    if (effect === undefined) return { ...base, ...noRule };
    return { ...base, effect, ...ofRule(rule, effect) };
  });
}

const noRule = { effect: "deny" as const, tools: ["*"], patterns: [], why: "it is no rule that Gemini CLI takes" };

function ofRule(rule: TomlTable, effect: Effect): Meaning {
  const modes = texts(rule.modes);
  if (modes.length > 0 && !modes.includes("default")) return { tools: [], patterns: [], why: `it counts in ${modes.join(", ")} only` };
  if (rule.subagent !== undefined) return { tools: [], patterns: [], why: "it counts for one agent only" };
  if (rule.mcpName !== undefined) return { tools: [], patterns: [], why: "tools of MCP servers have other names here" };
  if (effect === "allow" && rule.interactive !== undefined) return { tools: [], patterns: [], why: "it does not count in every run" };
  const names = texts(rule.toolName);
  const prefixes = texts(rule.commandPrefix);
  const shell = prefixes.length > 0 || rule.commandRegex !== undefined;
  const tools = shell && names.length === 0 ? ["bash"] : [...new Set(names.flatMap(toolsNamed))];
  if (tools.length === 0) return { tools, patterns: [], why: `there is no tool here that is ${names.join(", ") || "meant"}` };
  const beyond = ["commandRegex", "argsPattern", "toolAnnotations"].find((key) => rule[key] !== undefined);
  if (beyond !== undefined) return { tools, patterns: [], why: `${beyond} has no equal here` };
  if (prefixes.length > 0) return ofPrefixes(prefixes, effect);
  const parts = tools.map((tool) => whole(tool, effect));
  return parts.find(({ why }) => why !== undefined) ?? { tools, patterns: ["*"] };
}

/** A star in a name stands for any part of it. */
function toolsNamed(name: string): string[] {
  if (name === "*") return ["*"];
  if (!name.includes("*")) return TOOLS[name] === undefined ? [] : [TOOLS[name]];
  const fits = createGlob(name.replace(/[^\w*]/g, "-"));
  return Object.entries(TOOLS).flatMap(([theirs, ours]) => (fits(theirs) ? [ours] : []));
}

function ofPrefixes(prefixes: readonly string[], effect: Effect): Meaning {
  const parts = prefixes.map((prefix) => ofPrefix(prefix, effect));
  return parts.find(({ why }) => why !== undefined) ?? { tools: ["bash"], patterns: parts.flatMap(({ patterns }) => patterns) };
}

function texts(value: TomlValue | undefined): string[] {
  return [value].flat().filter((each) => typeof each === "string");
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value);
}

function brief({ decision, ...rule }: TomlTable): string {
  const parts = Object.entries(rule).filter(([key]) => !["priority", "denyMessage"].includes(key));
  return `${String(decision)} ${parts.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(" ")}`;
}
