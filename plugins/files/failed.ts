import type { ToolResult } from "mortise/sdk";

export type Failed = ToolResult & { isError: true };

export function failed(text: string): Failed {
  return { text, isError: true };
}

/** What the host refuses with is a sentence; all else is thrown on. */
export function refused(error: unknown): Failed {
  if (error instanceof Error && "code" in error) return failed(error.message);
  throw error;
}
