import { setTimeout as sleep } from "node:timers/promises";
import type { Host, NativeTool } from "../../core/host-types.ts";
import { built } from "./built.ts";
import { layerPlugin } from "./plugins.ts";
import { residentMb } from "./processes.ts";
import type { Results } from "./rounds.ts";

const PLUGINS = 20;

/** What idle plugins keep in memory: the runner with 20 isolates that were made, and the same runner with the first of them alone. */
export async function memory(repeats: number): Promise<Results> {
  const perPlugin: number[] = [];
  const unused: number[] = [];
  const runner: number[] = [];
  for (let i = 0; i <= repeats; i++) {
    const { createHost } = await built();
    const plugins = Array.from({ length: PLUGINS }, (_, n) =>
      layerPlugin(`idle-${n}`, n === 0 ? ["tool.first.output", "tool.every.output"] : ["tool.every.output"]),
    );
    const host = await createHost({ builtins: false, yolo: true, spare: false, plugins, tools: [answering("first"), answering("every")] });
    const made = isolates(host);
    await host.call({ tool: "first", input: {} });
    await sleep(500);
    const pid = runnerPid(host);
    const before = { isolates: isolates(host), mb: residentMb(pid) };
    await host.call({ tool: "every", input: {} });
    await sleep(500);
    const after = { isolates: isolates(host), mb: residentMb(pid) };
    await host.close();
    if (after.isolates !== PLUGINS) throw new Error(`${after.isolates} of ${PLUGINS} isolates were made`);
    // The first host fills the cache of manifests, for which isolates are made and ended.
    if (i === 0) continue;
    unused.push(made);
    runner.push(before.mb);
    perPlugin.push((after.mb - before.mb) / (after.isolates - before.isolates));
  }
  return new Map([
    ["isolates before use", { unit: "count", rounds: [unused] }],
    ["runner", { unit: "MB", rounds: [runner] }],
    ["idle plugin", { unit: "MB", rounds: [perPlugin] }],
  ]);
}

export function answering(name: string): NativeTool {
  return { name, description: "Answers.", inputSchema: { type: "object", properties: {} }, scopes: "none", run: () => "done" };
}

function isolates(host: Host): number {
  return host.runners().reduce((sum, { plugins }) => sum + plugins.length, 0);
}

function runnerPid(host: Host): number {
  const runner = host.runners().find(({ plugins }) => plugins.length > 0);
  if (runner === undefined) throw new Error("No runner holds a plugin");
  return runner.pid;
}
