import { MortiseError } from "../../../sdk/errors.ts";
import type { RunLimits } from "../../agent/backend.ts";
import type { Cli } from "../cli.ts";
import type { Instructions } from "../headless/instructions.ts";
import type { AgentOptions } from "../headless/with-agent.ts";

export type ChatOptions = AgentOptions & { limits?: Partial<RunLimits>; instructions?: Instructions };

/** Whether a person is at a terminal that is read and written. */
export function isOnTerminal({ stdin, stdout } = process): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Talks with a person on the terminal until they leave. Throws `usage` where there is none, or one that cannot move its cursor. Answers the exit code. */
export async function startChat(options: ChatOptions, cli: Cli): Promise<number> {
  const why = !isOnTerminal()
    ? "it needs a terminal to read and write"
    : process.env.TERM === "dumb"
      ? "this terminal (TERM=dumb) cannot show one"
      : undefined;
  if (why !== undefined) throw new MortiseError("usage", { seen: `a chat was asked for, and ${why}; \`mortise run "..."\` works without` });
  // The terminal library is large, and nothing else needs it.
  const { runChat } = await import("./run-chat.ts");
  return runChat(options, cli);
}
