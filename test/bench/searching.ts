import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findRipgrep } from "../../core/capabilities/search/find-ripgrep.ts";
import { built } from "./built.ts";
import { held } from "./files.ts";
import type { Wanted } from "./goals.ts";
import { type Case, each, type Results, runRounds } from "./rounds.ts";
import { ratio, summary } from "./samples.ts";
import type { Layout } from "./table.ts";

const FOLDERS = 50;
const FILES = 100;
const MATCHES_PER_FILE = 20;
const ALL = FOLDERS * FILES * MATCHES_PER_FILE;

/** The tools that search, whole calls, beside ripgrep alone, started as they start it and read to its end, in a project of 5,000 files. */
export async function searching(times: (count: number) => number, folder: string, progress: (text: string) => void): Promise<Results> {
  const project = join(folder, "searching");
  await makeProject(project);
  const { createHost } = await built();
  const host = await createHost({ cwd: project, yolo: true });
  const ripgrep = await findRipgrep();
  const call = async (tool: string, input: Record<string, unknown>, outputMode: "compact" | "full" = "full") => {
    const record = await host.call({ tool, input, outputMode });
    if (record.isError) throw new Error(`${tool}: ${record.text}`);
    return record;
  };
  const bare = (...args: string[]) => output(ripgrep, ["--no-config", "--color=never", ...args], project);
  const all = () => call("grep", { pattern: "needle", limit: ALL });

  const cases: Case[] = [
    { name: "rg, all lines", sample: () => each(2, () => bare("--heading", "--line-number", "needle", "./")) },
    { name: "grep, all lines", sample: () => each(2, all) },
    { name: "grep, the newest 100", sample: () => each(2, () => call("grep", { pattern: "needle" }, "compact")) },
    { name: "rg, no match", sample: () => each(2, () => bare("--heading", "--line-number", "nowhere at all", "./")) },
    { name: "grep, no match", sample: () => each(2, () => call("grep", { pattern: "nowhere at all" })) },
    { name: "rg --files", sample: () => each(2, () => bare("--files", "--sortr=modified", "./")) },
    { name: "glob", sample: () => each(2, () => call("glob", { pattern: "**/*.ts", limit: 1_000 })) },
    { name: "searching: loop held", sample: async () => [await held(all)] },
  ];
  try {
    await expectSame((await all()).text, await bare("--line-number", "--no-filename", "needle", "./"));
    return await runRounds(cases, times(15), times(3), progress);
  } finally {
    await host.close();
  }
}

export const searchingLayout: Layout = [
  {
    title: `${ALL} matching lines in ${FOLDERS * FILES} files, a whole call`,
    ratioTo: "to ripgrep",
    lines: [
      { name: "ripgrep alone, read to its end", of: "rg, all lines" },
      { name: "grep, all lines", of: "grep, all lines", against: "rg, all lines" },
      { name: "grep, the newest 100", of: "grep, the newest 100", against: "rg, all lines" },
    ],
  },
  {
    title: `Nothing found in ${FOLDERS * FILES} files`,
    ratioTo: "to ripgrep",
    lines: [
      { name: "ripgrep alone", of: "rg, no match" },
      { name: "grep", of: "grep, no match", against: "rg, no match" },
    ],
  },
  {
    title: `The names of ${FOLDERS * FILES} files, the newest first`,
    ratioTo: "to ripgrep",
    lines: [
      { name: "ripgrep alone", of: "rg --files" },
      { name: "glob, the newest 1000", of: "glob", against: "rg --files" },
    ],
  },
  {
    title: "Processor time in one turn of the host's event loop while grep finds them all",
    lines: [{ name: "the longest", of: "searching: loop held" }],
  },
];

export const searchingGoals: readonly Wanted[] = [
  {
    name: "grep, all lines against ripgrep alone",
    bound: { most: 1.3 },
    unit: "times",
    measure: (get) => ratio(get("grep, all lines"), get("rg, all lines")),
  },
  {
    name: "grep, the newest 100 against ripgrep alone",
    bound: { most: 1.3 },
    unit: "times",
    measure: (get) => ratio(get("grep, the newest 100"), get("rg, all lines")),
  },
  { name: "event loop held by searching", bound: { most: 50_000 }, unit: "us", measure: (get) => summary(get("searching: loop held")) },
];

async function makeProject(project: string): Promise<void> {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(project, `part-${folder}`);
    await mkdir(path, { recursive: true });
    await Promise.all(Array.from({ length: FILES }, (_, file) => writeFile(join(path, `file-${file}.ts`), textOf(folder, file))));
  }
}

/** Twenty lines in a hundred match. */
function textOf(folder: number, file: number): string {
  const lines = Array.from({ length: MATCHES_PER_FILE * 5 }, (_, line) =>
    line % 5 === 0
      ? `// needle ${line} of file ${file}, a comment of usual length`
      : `  const value${line} = compute(${file}, "some text", ${folder});`,
  );
  return `${lines.join("\n")}\n`;
}

function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.once("error", reject).once("close", () => resolve(Buffer.concat(parts).toString()));
  });
}

/** What shows fewer lines would be measured as if it showed all. */
async function expectSame(grep: string, bare: string): Promise<void> {
  const lines = grep.split("\n").filter((line) => /^\d+: /.test(line)).length;
  const wanted = bare.split("\n").length - 1;
  if (lines !== wanted) throw new Error(`grep shows ${lines} lines, ripgrep ${wanted}`);
}
