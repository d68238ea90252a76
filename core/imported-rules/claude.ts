import { basename, dirname, join } from "node:path";
import * as z from "zod/mini";
import { parseJsonc } from "../config/jsonc.ts";
import type { Effect } from "../permission/permission.ts";
import { commandPattern } from "./command-pattern.ts";
import type { AgentFile } from "./import-rules.ts";
import type { Entry, Meaning } from "./imported.ts";
import { gitignorePattern } from "./path-pattern.ts";

const List = z.optional(z.array(z.string()));
const Hooks = z.optional(z.record(z.string(), z.unknown()));
const Matchers = z.array(z.looseObject({ matcher: z.optional(z.string()) }));
const Settings = z.looseObject({
  hooks: Hooks,
  permissions: z.optional(
    z.looseObject({
      allow: List,
      ask: List,
      deny: List,
      defaultMode: z.optional(z.string()),
      additionalDirectories: List,
    }),
  ),
});

/** The rules of `settings.json` of Claude Code: `Tool` or `Tool(specifier)` in three lists. */
export async function claudeEntries(file: AgentFile): Promise<Entry[]> {
  const { value, lineOf } = parseJsonc(file.source, Settings);
  const permissions = value.permissions ?? {};
  const entries: Entry[] = [];
  for (const effect of ["deny", "ask", "allow"] as const) {
    for (const [index, was] of (permissions[effect] ?? []).entries()) {
      entries.push({ from: lineOf(["permissions", effect, index]), was, layer: file.layer, effect, ...(await translated(was, effect, file)) });
    }
  }
  for (const event of GUARDS) {
    const matchers = Matchers.safeParse(value.hooks?.[event] ?? []);
    for (const [index, { matcher = "" }] of (matchers.data ?? [{}]).entries()) {
      entries.push({
        from: lineOf(["hooks", event, index]),
        was: `${event} ${matcher}`.trim(),
        layer: file.layer,
        effect: "deny",
        ...ofHook(matcher),
      });
    }
  }
  const without = (key: string, was: string, why: string): Entry => ({
    from: lineOf(["permissions", key]),
    was,
    layer: file.layer,
    effect: "allow",
    tools: [],
    patterns: [],
    why,
  });
  const { defaultMode, additionalDirectories = [] } = permissions;
  if (defaultMode !== undefined && defaultMode !== "default") {
    entries.push(without("defaultMode", `defaultMode ${defaultMode}`, MODES[defaultMode] ?? "there is no such mode here"));
  }
  for (const folder of additionalDirectories) {
    entries.push(without("additionalDirectories", `additionalDirectories ${folder}`, "a project is one folder here, and what is outside asks"));
  }
  return entries;
}

/** What one rule of Claude Code means in a project here: `Bash(npm test)`, `Edit(src/**)`. */
export function claudeRule(was: string, effect: Effect, root: string): Promise<Meaning> {
  const path = join(root, ".claude", "settings.json");
  return translated(was, effect, { source: { path, text: "" }, layer: "project", root });
}

const MODES: Readonly<Record<string, string>> = {
  dontAsk: 'the same is "default": "deny" in permissions.jsonc',
  bypassPermissions: "--yolo is for one run, and no file turns it on",
};

/** Hooks that may deny a call. */
const GUARDS = ["PreToolUse", "PermissionRequest"];

/** What a hook denies is known to the hook alone: a matcher is a name, several, or a pattern over names. */
function ofHook(matcher: string): Meaning {
  const why = "a program decides it there; here a plugin may, as a judge";
  if (!/^[\w|, ]+$/.test(matcher)) return { tools: ["*"], patterns: [], why };
  const names = matcher.split(/[|, ]+/).filter((name) => name !== "");
  return { tools: names.flatMap((name) => HOOKED[name] ?? []), patterns: [], why };
}

const READERS = ["read", "glob", "grep", "index"];
const WRITERS = ["write", "edit"];

const HOOKED: Readonly<Record<string, readonly string[]>> = {
  Bash: ["bash"],
  Read: ["read", "index"],
  Glob: ["glob"],
  LS: ["glob"],
  Grep: ["grep"],
  Edit: ["edit"],
  MultiEdit: ["edit"],
  Write: ["write"],
  NotebookEdit: ["edit"],
};

async function translated(was: string, effect: Effect, file: AgentFile): Promise<Meaning> {
  const [, tool = was, specifier] = /^([\w*-]+)(?:\(([\s\S]*)\))?$/.exec(was) ?? [];
  const all = specifier === undefined || specifier === "*" || specifier === ":*" || (specifier === "**" && tool === "Bash");
  switch (tool) {
    case "Bash":
      if (!all) return ofCommand(specifier, effect);
      if (effect !== "allow") return { tools: ["bash"], patterns: ["*"] };
      return { tools: ["bash"], patterns: [], why: "here it would cover files outside of the project too: allow single commands, or use --yolo" };
    case "Read":
      // There, what is denied to be read is denied to commands that read files too.
      return ofPath(specifier, all, effect, effect === "allow" || all ? READERS : [...READERS, "bash"], file);
    case "Edit":
      return ofPath(specifier, all, effect, effect === "allow" || all ? WRITERS : [...WRITERS, "bash"], file);
    case "Write":
    case "MultiEdit":
    case "NotebookEdit":
      if (!all && effect === "allow")
        return { tools: ["write"], patterns: [], why: "files are named in Edit(...) rules there, and this one does not count" };
      return ofPath(specifier, all, effect, WRITERS, file);
    case "Glob":
    case "Grep":
    case "LS": {
      const tools = tool === "Grep" ? ["grep"] : ["glob"];
      if (!all)
        return { tools: effect === "allow" ? tools : [], patterns: [], why: "files are named in Read(...) rules there, and this one does not count" };
      return { tools, patterns: ["*"] };
    }
    default:
      return {
        tools: [],
        patterns: [],
        why: tool.startsWith("mcp__") ? "tools of MCP servers have other names here" : `there is no tool here that is ${tool}`,
      };
  }
}

/** `:*` at the end is ` *`. */
function ofCommand(specifier: string, effect: Effect): Meaning {
  const made = commandPattern(specifier.replace(/:\*$/, " *"), effect);
  return "why" in made ? { tools: ["bash"], patterns: [], why: made.why, about: specifier } : { tools: ["bash"], patterns: [made.pattern] };
}

async function ofPath(
  specifier: string | undefined,
  all: boolean,
  effect: Effect,
  tools: string[],
  { source, layer, root }: AgentFile,
): Promise<Meaning> {
  if (all || specifier === undefined) return { tools, patterns: ["*"] };
  const folder = dirname(source.path);
  const slash = layer === "user" ? folder : basename(folder) === ".claude" ? dirname(folder) : root;
  const made = await gitignorePattern(specifier, { effect, root, slash });
  return "why" in made ? { tools, patterns: [], why: made.why } : { tools, patterns: made.patterns };
}
