import type { NativeTool } from "../../core/host-types.ts";

/** A tool of the program's own that is never asked about. */
export const named = (name: string, run: NativeTool["run"], more: Partial<NativeTool> = {}): NativeTool => ({
  name,
  description: "For a test.",
  inputSchema: { type: "object" },
  scopes: "none",
  run,
  ...more,
});
export const echo = named("echo", (input) => JSON.stringify(input));
export const fails = named("fails", () => ({ text: "It did not work.", isError: true }));
