type Index = typeof import("../../core/index.ts");
type AgentEntry = typeof import("../../core/agent/index.ts");

/** The library as it is built: what a user's program imports. */
export async function built(): Promise<Index> {
  const index: Index = await import(new URL("../../dist/index.js", import.meta.url).href);
  return index;
}

export async function builtAgent(): Promise<AgentEntry> {
  const entry: AgentEntry = await import(new URL("../../dist/agent.js", import.meta.url).href);
  return entry;
}
