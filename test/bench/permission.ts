import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Rule } from "../../core/permission/permission.ts";
import { createPermissions } from "../../core/permission/permissions.ts";
import { createSyntax } from "../../core/syntax/syntax.ts";
import type { Wanted } from "./goals.ts";
import { type Case, each, type Results, runRounds } from "./rounds.ts";
import { minus, ratio, summary } from "./samples.ts";
import type { Layout } from "./table.ts";

const KB = 1_024;
const texts = { "one line": "git log --oneline -5 && npm test 2>&1 | tail -20", "1 KB": script(KB), "60 KB": script(60 * KB) };
type Size = keyof typeof texts;
const sizes = Object.keys(texts) as Size[];
const counts = [10, 1_000] as const;
const repeats: Record<Size, number> = { "one line": 20, "1 KB": 5, "60 KB": 1 };
const PIPELINED = 100;

/** How long permission decisions take: from the text of a command to what rules make of it. Nothing runs. */
export async function permission(times: (count: number) => number, folder: string, progress: (text: string) => void): Promise<Results> {
  const project = join(folder, "permission");
  await mkdir(project);
  const syntax = createSyntax();
  const decider = (count: number) => {
    const rules = rulesOf(count);
    const permissions = createPermissions({
      syntax,
      project,
      folders: { config: join(folder, "config"), cache: join(folder, "cache"), state: join(folder, "state") },
      policy: () => ({ rules, yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
    });
    return async (command: string) => {
      const declared = { scopes: [{ kind: "shell", command }] };
      const list = await permissions.scopesOf({ tool: "bash", input: { command }, declared, cwd: project });
      return permissions.evaluate({ tool: "bash", sessionId: "bench", list });
    };
  };
  const [few, many] = [decider(counts[0]), decider(counts[1])];
  const cases: Case[] = sizes.flatMap((size) => [
    { name: parseName(size), sample: () => each(repeats[size], () => syntax.understand(texts[size], project)) },
    { name: decideName(size, 10), sample: () => each(repeats[size], () => few(texts[size])) },
    { name: decideName(size, 1_000), sample: () => each(repeats[size], () => many(texts[size])) },
  ]);
  const long = { "100 KB": script(100 * KB), "1 MB": script(KB * KB) };
  for (const [size, text] of Object.entries(long)) cases.push({ name: `refuse ${size}`, sample: () => each(3, () => few(text)) });
  cases.push({
    name: "decide pipelined",
    sample: async () => {
      const batches = await each(3, () => Promise.all(Array.from({ length: PIPELINED }, () => few(texts["one line"]))));
      return batches.map((us) => us / PIPELINED);
    },
  });
  try {
    await expectDecided(few);
    return await runRounds(cases, times(15), times(3), progress);
  } finally {
    await syntax.close();
  }
}

export const permissionLayout: Layout = [
  {
    title: "A decision about a command, from its text to what rules say",
    ratioTo: "to parsing alone",
    lines: sizes.flatMap((size) => [
      { name: `${size}: parsing, and the hop to its process`, of: parseName(size) },
      ...counts.map((count) => ({ name: `${size}, ${count} rules`, of: decideName(size, count), against: parseName(size) })),
    ]),
  },
  { title: "100 decisions at once about one line, 10 rules: one's share", lines: [{ name: "one line", of: "decide pipelined" }] },
  {
    title: "Commands that are too long to be judged",
    lines: [
      { name: "100 KB", of: "refuse 100 KB" },
      { name: "1 MB", of: "refuse 1 MB" },
    ],
  },
];

export const permissionGoals: readonly Wanted[] = [
  {
    name: "one line, 10 rules, beyond parsing",
    bound: { most: 100 },
    unit: "us",
    measure: (get) => summary(minus(get(decideName("one line", 10)), get(parseName("one line")))),
  },
  {
    name: "decisions at once, one line",
    bound: { least: 5_000 },
    unit: "per s",
    measure: (get) => {
      const { median, p10, p90, n } = summary(get("decide pipelined"));
      return { median: 1e6 / median, p10: 1e6 / p90, p90: 1e6 / p10, n };
    },
  },
  {
    name: "60 KB against 1 KB, 10 rules",
    bound: { most: 90 },
    unit: "times",
    measure: (get) => ratio(get(decideName("60 KB", 10)), get(decideName("1 KB", 10))),
  },
  {
    name: "1,000 rules against 10, 60 KB",
    bound: { most: 150 },
    unit: "times",
    measure: (get) => ratio(get(decideName("60 KB", 1_000)), get(decideName("60 KB", 10))),
  },
  { name: "100 KB refused", bound: { most: 5_000 }, unit: "us", measure: (get) => summary(get("refuse 100 KB")) },
  { name: "1 MB refused", bound: { most: 5_000 }, unit: "us", measure: (get) => summary(get("refuse 1 MB")) },
];

function parseName(size: Size): string {
  return `parse ${size}`;
}

function decideName(size: Size, rules: (typeof counts)[number]): string {
  return `decide ${size}, ${rules} rules`;
}

/** Rules as a team has them: most are about something else. */
function rulesOf(count: number): Rule[] {
  const own: [Rule["effect"], string][] = [
    ["allow", "git *"],
    ["allow", "npm *"],
    ["allow", "node *"],
    ["allow", "tail *"],
    ["deny", "git push *"],
    ["deny", "~/.ssh/**"],
  ];
  const others = Array.from({ length: count - own.length }, (_, i): [Rule["effect"], string] => {
    const effects = ["allow", "ask", "deny"] as const;
    return [effects[i % 3]!, i % 10 === 9 ? `packages/part-${i}/**` : `tool-${i} sub-${i % 7} *`];
  });
  return [...own, ...others].map(([effect, pattern], index) => ({ tool: "bash", pattern, effect, layer: "user", from: `rules:${index + 1}` }));
}

/** Lines as agents write them. */
function script(bytes: number): string {
  let text = "";
  for (let i = 0; text.length < bytes - 120; i++) {
    text += [
      `git add src/part-${i}.ts "docs/page ${i}.md" && git status --short`,
      `node scripts/build.mjs --out dist/${i} | tail -n 20`,
      `for file in a-${i}.txt b.txt; do wc -l "$file"; done`,
      `if [ -f out-${i}.log ]; then npm test -- --part ${i}; fi`,
    ][i % 4];
    text += "\n";
  }
  return text;
}

/** What is refused for another reason than its length would be measured as if it were judged. */
async function expectDecided(decide: (command: string) => Promise<{ kind: string }>): Promise<void> {
  const { kind } = await decide(texts["one line"]);
  if (kind !== "allow") throw new Error(`One line is answered with ${kind}`);
}
