import { MortiseError } from "../../../../sdk/errors.ts";
import type { ChatControl } from "../chat-control.ts";

const TOOL = "bash";

/**
 * Runs a command of the person's own by the `bash` tool, through everything that a call of the model goes through, permission too.
 * The model is told of it with the next message. Resolves to what it printed.
 */
export async function runShell(command: string, chat: ChatControl, signal: AbortSignal): Promise<string> {
  const { host, agent, sessionId, yolo } = chat;
  if (!host.tools("main").some(({ name }) => name === TOOL)) throw new MortiseError("unknown_tool", { seen: `"${TOOL}"` });
  const record = await host.call({ tool: TOOL, input: { command }, sessionId, signal, yolo: yolo.isOn() });
  const { text, isError, ran } = record;
  if (ran) agent.notify(`The user ran a command${isError ? ", which failed" : ""}:\n${command}\n\nIt printed:\n${text}`);
  return `$ ${command}\n${text}`;
}
