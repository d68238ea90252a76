import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { built } from "./built.ts";
import type { Wanted } from "./goals.ts";
import { type Case, each, type Results, runRounds } from "./rounds.ts";
import { ratio, summary } from "./samples.ts";
import type { Layout } from "./table.ts";

const MB = 1_024 * 1_024;
const WINDOW = 200;

/** The tools that read and change files, whole calls, beside the same work in plain Node. */
export async function files(times: (count: number) => number, folder: string, progress: (text: string) => void): Promise<Results> {
  const project = join(folder, "files");
  await mkdir(project);
  const at = (name: string) => join(project, name);
  const long = linesOf(5 * MB);
  const count = long.split("\n").length;
  for (const name of ["long.txt", "edited.txt", "plain.txt"]) await writeFile(at(name), long);
  const small = linesOf(10 * 1_024);
  const { createHost } = await built();
  const host = await createHost({ cwd: project, yolo: true });
  const call = async (tool: string, input: Record<string, unknown>) => {
    const record = await host.call({ tool, input });
    if (record.isError) throw new Error(`${tool}: ${record.text}`);
    return record;
  };
  let turn = 0;
  const edit = (path: string) => call("edit", { path, old_string: marked(turn), new_string: marked(++turn) });
  await writeFile(at("edited.txt"), `${long}${marked(0)}\n`);

  const cases: Case[] = [
    { name: "file in Node", sample: () => each(5, () => readFile(at("long.txt"), "utf8")) },
    { name: "window at the start", sample: () => each(5, () => call("read", { path: "long.txt", limit: WINDOW })) },
    { name: "window at the end", sample: () => each(5, () => call("read", { path: "long.txt", offset: count - WINDOW, limit: WINDOW })) },
    { name: "small file in Node", sample: () => each(10, () => writeFile(at("plain.txt"), small)) },
    { name: "small write", sample: () => each(10, () => call("write", { path: "written.txt", content: small })) },
    {
      name: "edit in Node",
      sample: () => each(2, async () => writeFile(at("plain.txt"), (await readFile(at("long.txt"), "utf8")).replace("line 40000 ", "line 40001 "))),
    },
    { name: "edit", sample: () => each(2, () => edit("edited.txt")) },
    { name: "files: loop held", sample: async () => [await held(() => everything())] },
  ];
  const everything = () =>
    Promise.all([
      call("read", { path: "long.txt", offset: count - WINDOW, limit: WINDOW }),
      call("write", { path: "whole.txt", content: long }),
      edit("edited.txt"),
    ]);
  try {
    return await runRounds(cases, times(15), times(3), progress);
  } finally {
    await host.close();
  }
}

export const filesLayout: Layout = [
  {
    title: "200 lines of a file of 5 MB, a whole call",
    ratioTo: "to the file in Node",
    lines: [
      { name: "the file read in plain Node", of: "file in Node" },
      { name: "the first 200 lines", of: "window at the start", against: "file in Node" },
      { name: "the last 200 lines", of: "window at the end", against: "file in Node" },
    ],
  },
  {
    title: "Files changed, a whole call",
    ratioTo: "to the same in Node",
    lines: [
      { name: "10 KB written in plain Node, not to the disk itself", of: "small file in Node" },
      { name: "10 KB by write", of: "small write", against: "small file in Node" },
      { name: "a line of 5 MB replaced in plain Node", of: "edit in Node" },
      { name: "a line of 5 MB by edit", of: "edit", against: "edit in Node" },
    ],
  },
  {
    title: "Processor time in one turn of the host's event loop while a window, a write and an edit of 5 MB go on",
    lines: [{ name: "the longest", of: "files: loop held" }],
  },
];

export const filesGoals: readonly Wanted[] = [
  {
    name: "200 lines of 5 MB against the file in Node",
    bound: { most: 3 },
    unit: "times",
    measure: (get) => ratio(get("window at the end"), get("file in Node")),
  },
  { name: "event loop held by file tools", bound: { most: 50_000 }, unit: "us", measure: (get) => summary(get("files: loop held")) },
];

/** The most processor time between two looks, in microseconds: other programs of a busy machine do not count. */
export async function held(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  let before = threadUs();
  const look = setInterval(() => {
    const now = threadUs();
    most = Math.max(most, now - before);
    before = now;
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(look);
  }
  return most;
}

function threadUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function linesOf(bytes: number): string {
  let text = "";
  for (let i = 1; text.length < bytes; i++) text += `line ${i} of a file as programs write them, ${"x".repeat(i % 60)}\n`;
  return text;
}

function marked(turn: number): string {
  return `the line that is edited for the time ${turn} `;
}
