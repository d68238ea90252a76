import { definePlugin, type ToolInputs } from "mortise/sdk";
import { description } from "./description.ts";
import { resultText } from "./result-text.ts";

type Input = ToolInputs["bash"];

const MAX_TIMEOUT_S = 600;
/** What the call may take beyond the command's own time, in milliseconds. */
const MARGIN_MS = 500;
/** A little below what the host takes from one result, so that what is left out is told once. */
const MAX_OUTPUT_BYTES = 8_000_000;

export default definePlugin(
  {
    name: "bash",
    description: "Runs bash commands",
    capabilities: { run: true },
    memoryMb: 128,
    options: { timeoutSeconds: 120 },
  },
  (api) => {
    api.registerTool<Input>({
      name: "bash",
      kind: "execute",
      audiences: ["main", "general", "code"],
      capability: "run",
      description,
      input: {
        type: "object",
        properties: {
          command: { type: "string", minLength: 1, description: "The command, read by bash" },
          timeout: {
            type: "integer",
            minimum: 1,
            maximum: MAX_TIMEOUT_S,
            description: `Seconds it may take; ${api.options.timeoutSeconds} unless said`,
          },
          workdir: { type: "string", minLength: 1, description: "The folder to run it in" },
          tail: { type: "integer", minimum: 1, description: "Keep only so many lines at the end of the output" },
          description: { type: "string", description: "What it does, in three to five words, for the user" },
        },
        required: ["command"],
      },
      timeoutMs: MAX_TIMEOUT_S * 1_000 + MARGIN_MS,
      scopes: ({ command, workdir }) => ({ scopes: [{ kind: "shell", command, ...(workdir === undefined ? {} : { cwd: workdir }) }] }),
      run: async ({ command, timeout, workdir, tail }, call) => {
        const timeoutMs = (timeout ?? Number(api.options.timeoutSeconds)) * 1_000;
        const result = await api.run
          .exec({
            argv: ["bash", "-c", command],
            ...(workdir === undefined ? {} : { cwd: workdir }),
            timeoutMs,
            maxOutputBytes: MAX_OUTPUT_BYTES,
            live: true,
            // What a command leaves running on purpose outlives the call; the command itself does not.
            scope: "session",
            name: command.slice(0, 200),
          })
          .catch(refused);
        if ("isError" in result) return result;
        const { exitCode, signal, ended, leftRunning, droppedBytes } = result;
        return {
          // The end of the whole call may come before the end of the command's own time.
          ...resultText(result, { tail, timeoutMs: Math.min(timeoutMs, call.deadlineMs) }),
          data: { exitCode, signal, ended, leftRunning, droppedBytes },
          ...(ended === "timeout" || ended === "cancelled" ? { cut: ended } : {}),
        };
      },
    });
  },
);

/** What the host refuses with, as a missing folder, is a sentence. */
function refused(error: unknown): { text: string; isError: true } {
  if (error instanceof Error && "code" in error) return { text: error.message, isError: true };
  throw error;
}
