import { MortiseError } from "../../../sdk/errors.ts";
import type { RunLimits } from "../../agent/backend.ts";
import type { Cli } from "../cli.ts";
import type { AgentOptions } from "../headless/with-agent.ts";

export type ChatOptions = AgentOptions & { limits?: Partial<RunLimits> };

/** Whether a chat has a terminal to be on: one that is read and written, and can move its cursor. */
export function hasTerminal({ stdin, stdout, env } = process): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== "dumb";
}

/** Talks with a person on the terminal until they leave. Throws `usage` where there is none. Answers the exit code. */
export async function startChat(options: ChatOptions, cli: Cli): Promise<number> {
  if (!hasTerminal()) {
    const why = process.stdin.isTTY && process.stdout.isTTY ? "this terminal (TERM=dumb) cannot show one" : "it needs a terminal to read and write";
    throw new MortiseError("usage", { seen: `a chat was asked for, and ${why}; \`mortise run "..."\` works without` });
  }
  // The terminal library is large, and nothing else needs it.
  const { runChat } = await import("./run-chat.ts");
  return runChat(options, cli);
}
