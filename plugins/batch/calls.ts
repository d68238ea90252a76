import type { Json } from "mortise/sdk";

export type Entry = { tool: string; parameters?: { [key: string]: Json } | null; [key: string]: Json | undefined };
export type Call = { tool: string; input: Record<string, Json> };

/** Reads entries in all their forms: parameters in `parameters`, beside `tool`, or both. A fault in one of them is a fault of the batch: nothing runs. */
export function readCalls(entries: readonly Entry[]): { calls: Call[] } | { fault: string } {
  if (entries.length === 0) return { fault: "tool_calls is empty. Give at least one call." };
  const calls: Call[] = [];
  for (const [index, entry] of entries.entries()) {
    const input = new Map<string, Json>();
    for (const [key, value] of [...Object.entries(entry.parameters ?? {}), ...beside(entry)]) {
      if (input.has(key)) {
        return {
          fault: `tool_calls[${index}]: ${key.slice(0, 100)} is given twice, in \`parameters\` and beside \`tool\`. Nothing was run; give it once.`,
        };
      }
      input.set(key, value);
    }
    // A model may name a tool as its own interface lists it.
    calls.push({ tool: entry.tool.replace(/^functions\./, ""), input: Object.fromEntries(input) });
  }
  return { calls };
}

function beside(entry: Entry): [string, Json][] {
  return Object.entries(entry).flatMap(([key, value]) => (key === "tool" || key === "parameters" || value === undefined ? [] : [[key, value]]));
}
