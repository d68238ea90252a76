import { prefixPattern } from "./command-pattern.ts";
import type { AgentFile } from "./import-rules.ts";
import type { Entry } from "./imported.ts";
import { parseStarlark, type StarlarkValue, type Statement } from "./starlark.ts";
import { parseToml } from "./toml.ts";

/** The rules of Codex: `prefix_rule(...)` of `*.rules`, and what of `config.toml` is about permissions. */
export async function codexEntries(file: AgentFile): Promise<Entry[]> {
  return file.source.path.endsWith(".toml") ? ofConfig(file) : parseStarlark(file.source).flatMap((statement) => ofStatement(statement, file));
}

const EFFECTS = { allow: "allow", prompt: "ask", forbidden: "deny" } as const;
/** Alternatives of one rule that are written out. */
const MAX_PATTERNS = 100;

function ofStatement(statement: Statement, { source, layer }: AgentFile): Entry[] {
  const from = `${source.path}:${statement.line}`;
  const was = statement.text
    .replace(/\s*#[^\n]*/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const without = (why: string, effect: Entry["effect"] = "allow", tools: string[] = []): Entry[] => [
    { from, was, layer, effect, tools, patterns: [], why },
  ];
  if (was === "") return [];
  if (statement.kind === "other") return without("only calls with plain arguments are read", "deny", ["bash"]);
  if (statement.name !== "prefix_rule") return without(OTHERS[statement.name] ?? `${statement.name} has no equal here`);
  const { pattern, decision = "allow" } = statement.args;
  const effect = typeof decision === "string" && Object.hasOwn(EFFECTS, decision) ? EFFECTS[decision as keyof typeof EFFECTS] : undefined;
  const alternatives = alternativesOf(pattern);
  if (effect === undefined || alternatives === undefined) return without("it is no rule that Codex takes", "deny", ["bash"]);
  const all = product(alternatives);
  if (all === undefined) return without(`it has more than ${MAX_PATTERNS} alternatives`, effect, ["bash"]);
  const made = all.map(prefixPattern);
  const odd = made.find((each) => "why" in each);
  const [program] = alternatives[0]?.length === 1 ? (alternatives[0] ?? []) : [];
  if (odd !== undefined && "why" in odd)
    return [{ from, was, layer, effect, tools: ["bash"], patterns: [], why: odd.why, ...(program === undefined ? {} : { about: program }) }];
  return [{ from, was, layer, effect, tools: ["bash"], patterns: made.flatMap((each) => ("pattern" in each ? [each.pattern] : [])) }];
}

const OTHERS: Readonly<Record<string, string>> = {
  network_rule: "rules are about calls here, and not about what programs reach",
  host_executable: "a rule that allows is about the program by the name it is called by, one that denies about the name wherever it lies",
};

function alternativesOf(pattern: StarlarkValue | undefined): string[][] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined;
  const words = pattern.map((word) => (Array.isArray(word) ? word : [word]));
  const isText = (words: StarlarkValue[]): words is string[] => words.length > 0 && words.every((word) => typeof word === "string");
  return words.every(isText) ? words : undefined;
}

function product(alternatives: readonly string[][]): string[][] | undefined {
  let all: string[][] = [[]];
  for (const words of alternatives) {
    if (all.length * words.length > MAX_PATTERNS) return undefined;
    all = all.flatMap((start) => words.map((word) => [...start, word]));
  }
  return all;
}

function ofConfig({ source, layer }: AgentFile): Entry[] {
  const { value } = parseToml(source);
  const lines = source.text.split("\n");
  return Object.entries(CONFIG).flatMap(([key, why]): Entry[] => {
    if (!Object.hasOwn(value, key)) return [];
    const line =
      Math.max(
        lines.findIndex((text) => new RegExp(`^\\s*\\[?["']?${key}\\b`).test(text)),
        0,
      ) + 1;
    const said = typeof value[key] === "string" ? ` ${value[key]}` : "";
    return [{ from: `${source.path}:${line}`, was: `${key}${said}`, layer, effect: "allow", tools: [], patterns: [], why }];
  });
}

const CONFIG: Readonly<Record<string, string>> = {
  approval_policy: "what no rule decides asks here, whatever the program is",
  sandbox_mode: "there is no sandbox around commands here",
  sandbox_workspace_write: "there is no sandbox around commands here",
  permissions: "there is no sandbox around commands here",
  default_permissions: "there is no sandbox around commands here",
  mcp_servers: "tools of MCP servers have other names here",
};
