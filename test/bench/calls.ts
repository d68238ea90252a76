import type { Host, NativeTool } from "../../core/host-types.ts";
import { built } from "./built.ts";
import { layerPlugin } from "./plugins.ts";
import { type Case, each, mean } from "./rounds.ts";

export const depths = [1, 3, 5, 10] as const;
export const sizes = { "100 B": 100, "10 KB": 10_000, "1 MB": 1_000_000 } as const;
export type Size = keyof typeof sizes;

const repeats: Record<Size, number> = { "100 B": 20, "10 KB": 10, "1 MB": 3 };
const CONCURRENT = 100;

/** Calls through the whole host, of tools that the host answers itself: what layers cost is the only difference between them. */
export async function calls(): Promise<{ cases: Case[]; emptyCallMessages(): Promise<number>; close(): Promise<void> }> {
  const texts = Object.fromEntries(Object.entries(sizes).map(([size, chars]) => [size, textOf(chars)]));
  const plugins = Array.from({ length: Math.max(...depths) }, (_, i) =>
    layerPlugin(
      `layer-${i + 1}`,
      depths.filter((depth) => depth > i).map((depth) => `tool.chain${depth}.output`),
    ),
  );
  const { createHost } = await built();
  const host = await createHost({ builtins: false, yolo: true, plugins, tools: [0, ...depths].map((depth) => chainTool(depth, texts)) });
  for (const depth of depths) await expectLayers(host, depth);

  const plain = async (input: { size: string }) => ({ text: texts[input.size] ?? "" });
  const call = (depth: number, size: Size) => host.call({ tool: `chain${depth}`, input: { size }, outputMode: "full" });
  const stages = await emptyStages(chainTool(0, texts), { size: "100 B" }, { text: texts["100 B"] ?? "", isError: false });
  const cases: Case[] = [
    { name: "function", sample: () => mean(10_000, () => plain({ size: "100 B" })) },
    { name: "empty stages", sample: () => mean(1_000, stages) },
    { name: "empty call", sample: () => each(100, () => call(0, "100 B")) },
    ...(Object.keys(sizes) as Size[]).flatMap((size) =>
      [0, ...depths].map((depth) => ({ name: chainName(depth, size), sample: () => each(repeats[size], () => call(depth, size)) })),
    ),
    {
      name: "concurrent",
      sample: async () => {
        const batches = await each(5, () => Promise.all(Array.from({ length: CONCURRENT }, () => call(1, "100 B"))));
        return batches.map((us) => us / CONCURRENT);
      },
    },
  ];
  return {
    cases,
    async emptyCallMessages() {
      const before = host.sent();
      for (let i = 0; i < 100; i++) await call(0, "100 B");
      return host.sent() - before;
    },
    close: () => host.close(),
  };
}

export function chainName(depth: number, size: Size): string {
  return `${depth} layers, ${size}`;
}

function chainTool(depth: number, texts: Readonly<Record<string, string>>): NativeTool {
  return {
    name: `chain${depth}`,
    description: "Answers a text of the size asked for.",
    inputSchema: { type: "object", properties: { size: { type: "string" } }, required: ["size"] },
    scopes: "none",
    run: ({ size }) => texts[String(size)] ?? "",
  };
}

async function emptyStages(
  tool: NativeTool,
  input: Record<string, unknown>,
  output: { text: string; isError: boolean },
): Promise<() => Promise<void>> {
  const stages: { emptyStages(...args: unknown[]): () => Promise<void> } = await import(new URL("stages.mjs", import.meta.url).href);
  return stages.emptyStages(tool, input, output);
}

/** A layer that was passed over costs nothing, and would be measured as such. */
async function expectLayers(host: Host, depth: number): Promise<void> {
  const record = await host.call({ tool: `chain${depth}`, input: { size: "100 B" }, outputMode: "full" });
  const passed = record.trace.filter(({ outcome }) => outcome === "passed").length;
  if (passed !== depth) throw new Error(`${passed} of ${depth} layers were passed: ${JSON.stringify({ record, problems: host.problems() })}`);
}

/** Lines as a compiler prints them, with what JSON has to escape. */
function textOf(chars: number): string {
  const line = `src/main.ts(12,3): error TS2345: Argument of type "string" is not assignable to parameter of type 'number'.\n`;
  return line.repeat(Math.ceil(chars / line.length)).slice(0, chars);
}
