import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Rule, Scope, ScopeList } from "../permission/permission.ts";
import { createPermissions } from "../permission/permissions.ts";
import { createSyntax, type Syntax } from "../syntax/syntax.ts";

const Patterns = z.optional(z.array(z.string()));

/** What must hold of a command: what it runs, and what rules make of it. */
export const BashCase = z.looseObject({
  id: z.string(),
  command: z.string(),
  /** Bash text that makes the folder what the command needs. */
  setup: z.optional(z.string()),
  expect: z.looseObject({
    /** The simple commands that run, in source order, a wrapper before what it runs. */
    segments: Patterns,
    must_not_be_allowed_by: Patterns,
    must_be_denied_by: Patterns,
    should_be_allowed_by: Patterns,
    must_not_be_denied_by: Patterns,
    /** Whatever is allowed, it asks or is denied. */
    force_prompt: z.optional(z.boolean()),
    /** Asking is as good as denying. */
    prompt_is_enough: z.optional(z.boolean()),
    note: z.optional(z.string()),
  }),
});
export type BashCase = z.infer<typeof BashCase>;

export const fields = [
  "segments",
  "force_prompt",
  "must_not_be_allowed_by",
  "must_be_denied_by",
  "should_be_allowed_by",
  "must_not_be_denied_by",
] as const;
export type Field = (typeof fields)[number];

/** `field` is `setup` where that failed. */
export type Miss = { id: string; field: Field | "setup"; command: string; text: string };
export type BashTally = { passed: number; failed: number; fields: Record<Field, { held: number; of: number }>; misses: Miss[] };

/** Checks what is said of commands against the permission engine, each with the rules it names and no others. Nothing but a case's `setup` runs. */
export async function checkBashCases(cases: readonly BashCase[], onMiss: (miss: Miss) => void = () => {}): Promise<BashTally> {
  const tally: BashTally = { passed: 0, failed: 0, fields: emptyFields(), misses: [] };
  const root = await realpath(await mkdtemp(join(tmpdir(), "mortise-cases-")));
  const syntax = createSyntax();
  try {
    const shared = await projectIn(join(root, "shared"));
    for (const [index, each] of cases.entries()) {
      const misses = await missesOf(each, each.setup === undefined ? shared : join(root, String(index)), { syntax, tally });
      if (misses.length === 0) tally.passed++;
      else tally.failed++;
      tally.misses.push(...misses);
      for (const miss of misses) onMiss(miss);
    }
    return tally;
  } finally {
    await syntax.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function missesOf(each: BashCase, folder: string, { syntax, tally }: { syntax: Syntax; tally: BashTally }): Promise<Miss[]> {
  const { id, command, setup, expect } = each;
  if (setup !== undefined) {
    const failure = await runSetup(setup, join(await projectIn(folder), "project"), folder);
    if (failure !== undefined) return [{ id, field: "setup", command, text: failure }];
  }
  const judge = createJudge(command, folder, syntax);
  const misses: Miss[] = [];
  for (const field of fields) {
    if (expect[field] === undefined || expect[field] === false) continue;
    const fault = await checks[field](expect, judge);
    tally.fields[field].of++;
    if (fault === undefined) tally.fields[field].held++;
    else misses.push({ id, field, command, text: fault });
  }
  return misses;
}

type Judge = { list(): Promise<ScopeList>; decide(rules: Partial<Record<Rule["effect"], readonly string[]>>): Promise<"allow" | "ask" | "deny"> };

/** Judges one command with whatever rules. */
function createJudge(command: string, folder: string, syntax: Syntax): Judge {
  const cwd = join(folder, "project");
  let rules: Rule[] = [];
  const permissions = createPermissions({
    syntax,
    project: cwd,
    folders: { config: join(folder, "config"), cache: join(folder, "cache"), state: join(folder, "state") },
    policy: () => ({ rules, yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
  });
  let list: Promise<ScopeList> | undefined;
  const listOnce = () => {
    list ??= permissions.scopesOf({ tool: TOOL, input: { command }, declared: { scopes: [{ kind: "shell", command }] }, cwd });
    return list;
  };
  return {
    list: listOnce,
    async decide(given) {
      rules = effects.flatMap((effect) => (given[effect] ?? []).map((pattern): Rule => ({ tool: TOOL, pattern, effect, layer: "user", from: "" })));
      return (await permissions.evaluate({ tool: TOOL, sessionId: "cases", list: await listOnce() })).kind;
    },
  };
}

const TOOL = "bash";
const effects = ["deny", "ask", "allow"] as const;

/** Each says what is wrong. */
const checks: Record<Field, (expect: BashCase["expect"], judge: Judge) => Promise<string | undefined>> = {
  async segments({ segments = [] }, { list }) {
    const { scopes, unparseable } = await list();
    const commands = scopes.filter(isCommand).map(({ argv = [], passive }) => ({ text: spelled(argv), passive }));
    const found = distinct(commands.map(({ text }) => text));
    const wanted = distinct(segments);
    // More may be found that needs no permission of its own; of text that is not understood, more than runs.
    const more = commands.filter(({ text, passive }) => !passive && !wanted.includes(text));
    const holds = isPart(wanted, found) && (unparseable || more.length === 0);
    return holds ? undefined : `found ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`;
  },
  async force_prompt(_expect, { list, decide }) {
    const every = (await list()).scopes.map((scope) => scope.text);
    for (const allow of [every, [...every, "*"]]) if ((await decide({ allow })) === "allow") return `is allowed by ${JSON.stringify(allow)}`;
    return undefined;
  },
  async must_not_be_allowed_by({ must_not_be_allowed_by: allow = [] }, { decide }) {
    return (await decide({ allow })) === "allow" ? `is allowed by ${JSON.stringify(allow)}` : undefined;
  },
  async must_be_denied_by({ must_be_denied_by: deny = [], prompt_is_enough, force_prompt }, { decide }) {
    const kind = await decide({ allow: ["*"], deny });
    if (kind === "deny" || (kind === "ask" && (prompt_is_enough || force_prompt))) return undefined;
    return `${kind === "ask" ? "asks" : "is allowed"} with ${JSON.stringify(deny)} denied`;
  },
  async should_be_allowed_by({ should_be_allowed_by: allow = [] }, { decide }) {
    const kind = await decide({ allow });
    return kind === "allow" ? undefined : `${kind === "ask" ? "asks" : "is denied"} with ${JSON.stringify(allow)} allowed`;
  },
  async must_not_be_denied_by({ must_not_be_denied_by: deny = [] }, { decide }) {
    return (await decide({ allow: ["*"], deny })) === "deny" ? `is denied by ${JSON.stringify(deny)}` : undefined;
  },
};

/** The words that are written; those that a wrapper only adds as it runs have no text. */
function spelled(argv: NonNullable<Scope["argv"]>): string {
  return argv
    .filter((word) => word.static || word.text !== "")
    .map((word) => word.text)
    .join(" ");
}

/** Assignments alone are no commands. */
function isCommand({ kind, argv }: Scope): boolean {
  return kind === "command" && argv !== undefined && !(argv.length === 1 && /^\w+\+?=/.test(argv[0]?.text ?? ""));
}

/** Whether all of `part` is in `whole`, in this order. */
function isPart(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const each of whole) if (each === part[at]) at++;
  return at === part.length;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function emptyFields(): BashTally["fields"] {
  const none = () => ({ held: 0, of: 0 });
  return {
    segments: none(),
    force_prompt: none(),
    must_not_be_allowed_by: none(),
    must_be_denied_by: none(),
    should_be_allowed_by: none(),
    must_not_be_denied_by: none(),
  };
}

/** A folder with a project that has a few files in it. */
async function projectIn(folder: string): Promise<string> {
  for (const each of ["project/sub", "project/sub-old", "home"]) await mkdir(join(folder, each), { recursive: true });
  for (const file of ["a.txt", "b.txt", "data.json"]) await writeFile(join(folder, "project", file), "x\n");
  return folder;
}

/** What it failed with. */
async function runSetup(script: string, cwd: string, folder: string): Promise<string | undefined> {
  const env = { PATH: process.env.PATH, HOME: join(folder, "home"), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return new Promise((resolve) => {
    execFile("bash", ["-c", script], { cwd, env, timeout: 30_000, killSignal: "SIGKILL" }, (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr.trim() || error.message);
    });
  });
}
