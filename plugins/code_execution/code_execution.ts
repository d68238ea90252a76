import { definePlugin, type ToolInputs } from "mortise/sdk";
import { description } from "./description.ts";
import { functions } from "./functions.ts";
import { resultText } from "./result-text.ts";

type Input = ToolInputs["code_execution"];

const MAX_TIMEOUT_S = 600;
/** The last resort: the code's own time is counted without the tools it waits for, and each of those has a deadline of its own. */
const TIMEOUT_MS = 3_600_000;

export default definePlugin(
  {
    name: "code_execution",
    description: "Runs code that calls tools",
    // What calls of any tool cost.
    capabilities: { fs_read: true, fs_write: true, net: true, run: true, env: true },
    memoryMb: 128,
    options: { timeoutSeconds: 30, memoryMb: 64 },
  },
  (api) => {
    const tools = async () => (await api.tools.list({ audience: "code" })).filter(({ name }) => name !== "code_execution");

    api.registerTool<Input>({
      name: "code_execution",
      kind: "execute",
      description,
      describe: async () => functions(await tools()),
      audiences: ["main", "research", "general"],
      input: {
        type: "object",
        properties: {
          code: { type: "string", minLength: 1, description: "JavaScript or TypeScript, the body of an async function" },
          timeout: {
            type: "integer",
            minimum: 1,
            maximum: MAX_TIMEOUT_S,
            description: `Seconds the code may take, waiting for tools not counted; ${api.options.timeoutSeconds} unless said`,
          },
        },
        required: ["code"],
      },
      timeoutMs: TIMEOUT_MS,
      // The code can do nothing but call tools: each call is judged and asked about as its own.
      scopes: "none",
      run: async ({ code, timeout }) => {
        const timeoutSeconds = timeout ?? Number(api.options.timeoutSeconds);
        const memoryMb = Number(api.options.memoryMb);
        const names = (await tools()).map(({ name }) => name);
        try {
          const result = await api.isolate.run({ code, tools: names, timeoutMs: timeoutSeconds * 1_000, memoryMb, live: true });
          return resultText(result, { timeoutSeconds, memoryMb, code, tools: names });
        } catch (error) {
          if (error instanceof Error && "code" in error) return { text: error.message, isError: true };
          throw error;
        }
      },
    });
  },
);
