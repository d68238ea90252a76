import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Host, NativeTool } from "../../core/host-types.ts";
import { built } from "./built.ts";
import { held } from "./files.ts";
import type { Wanted } from "./goals.ts";
import { layerPlugin } from "./plugins.ts";
import { type Case, each, type Results, runRounds } from "./rounds.ts";
import { minus, ratio, summary } from "./samples.ts";
import type { Layout } from "./table.ts";

const READS = 25;
const LINES = 40;
const CALLS = 20;

/** Calls that make calls: a batch against its calls one after the other, code that calls tools, and what a tool of the pack costs to reach. */
export async function nested(times: (count: number) => number, folder: string, progress: (text: string) => void): Promise<Results> {
  const cwd = join(folder, "nested");
  await mkdir(cwd, { recursive: true });
  const paths = Array.from({ length: READS }, (_, i) => `part-${i}.ts`);
  await Promise.all(paths.map((path) => writeFile(join(cwd, path), "export const part = { id: 1, name: 'one' };\n".repeat(LINES))));
  const { createHost } = await built();
  const answering = (name: string): NativeTool => ({ name, description: "Answers.", inputSchema: { type: "object" }, scopes: "none", run: () => "" });
  const host = await createHost({
    cwd,
    yolo: true,
    plugins: [layerPlugin("layer", ["tool.layered.output"])],
    tools: [answering("bare"), answering("layered")],
  });
  try {
    return await runRounds(casesOf(host, paths), times(40), times(5), progress);
  } finally {
    await host.close();
  }
}

function casesOf(host: Host, paths: readonly string[]): Case[] {
  const call = async (tool: string, input: unknown, isError = false) => {
    const record = await host.call({ tool, input });
    if (record.isError !== isError) throw new Error(`${tool}: ${record.text}`);
  };
  const reads = paths.map((path) => ({ tool: "read", parameters: { path } }));
  const code = `await Promise.all(${JSON.stringify(paths)}.map((path) => read({ path })))`;
  return [
    {
      name: "25 reads alone",
      sample: () =>
        each(1, async () => {
          for (const path of paths) await call("read", { path });
        }),
    },
    { name: "25 reads in a batch", sample: () => each(1, () => call("batch", { tool_calls: reads })) },
    { name: "25 reads by code", sample: () => each(1, () => call("code_execution", { code })) },
    { name: "bare tool", sample: () => each(CALLS, () => call("bare", {})) },
    { name: "layered tool", sample: () => each(CALLS, () => call("layered", {})) },
    {
      name: "nested: loop held",
      sample: async () => [await held(() => Promise.all([call("batch", { tool_calls: reads }), call("code_execution", { code })]))],
    },
    // It answers at once that there is nothing to run: what is left is the way into its isolate and back.
    { name: "built-in tool", sample: () => each(CALLS, () => call("batch", { tool_calls: [] }, true)) },
  ];
}

export const nestedLayout: Layout = [
  {
    title: "25 files of 40 lines read, each call through the whole host",
    ratioTo: "to one after the other",
    lines: [
      { name: "one call after the other", of: "25 reads alone" },
      { name: "one batch", of: "25 reads in a batch", against: "25 reads alone" },
      { name: "one run of code, its process included", of: "25 reads by code", against: "25 reads alone" },
    ],
  },
  {
    title: "A tool that does nothing, above one that the host answers itself",
    ratioTo: "to one layer",
    lines: [
      { name: "one layer", of: "layered tool", above: "bare tool" },
      { name: "a tool of the pack, in its isolate", of: "built-in tool", above: "bare tool", against: "layered tool", againstAbove: "bare tool" },
    ],
  },
  {
    title: "Processor time in one turn of the host's event loop while a batch and code go on",
    lines: [{ name: "the longest", of: "nested: loop held" }],
  },
];

export const nestedGoals: readonly Wanted[] = [
  {
    name: "25 reads in a batch, faster than one after the other",
    bound: { least: 3 },
    unit: "times",
    measure: (get) => ratio(get("25 reads alone"), get("25 reads in a batch")),
  },
  {
    name: "dispatch of a built-in tool against one layer",
    bound: { most: 3 },
    unit: "times",
    measure: (get) => ratio(minus(get("built-in tool"), get("bare tool")), minus(get("layered tool"), get("bare tool"))),
  },
  { name: "event loop held by a batch and by code", bound: { most: 50_000 }, unit: "us", measure: (get) => summary(get("nested: loop held")) },
];
