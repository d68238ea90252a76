import { type AgentAnswer, type AgentSession, definePlugin, type Json, type ModelTier, type ToolResult } from "mortise/sdk";
import { refused } from "../files/failed.ts";
import { oneLine } from "../files/one-line.ts";
import { description } from "./description.ts";
import { instructions } from "./instructions.ts";
import { resultText } from "./result-text.ts";

type Input = {
  description: string;
  prompt: string;
  subagent_type?: "research" | "general";
  model_tier?: ModelTier;
  output_schema?: Record<string, Json>;
};

/** The last resort: the subagent's own time is less, and waiting for a place is not counted in it. */
const TIMEOUT_MS = 3_600_000;
const MAX_NAME_CHARS = 60;

export default definePlugin(
  {
    name: "task",
    description: "Has a subagent work on a task",
    // What calls of any tool cost: a subagent has no others.
    capabilities: { fs_read: true, fs_write: true, net: true, run: true, env: true },
    options: { maxConcurrent: 8, maxTurns: 50, maxTokens: 1_000_000, maxCostUsd: 5, timeoutMinutes: 30 },
  },
  (api) => {
    api.registerTool<Input>({
      name: "task",
      kind: "other",
      description,
      // A subagent has no subagents.
      audiences: ["main"],
      input: {
        type: "object",
        properties: {
          description: { type: "string", minLength: 1, maxLength: 200, pattern: "\\S", description: "The task in three to six words, for the user" },
          prompt: {
            type: "string",
            minLength: 1,
            maxLength: 200_000,
            pattern: "\\S",
            description: "The whole task: the subagent knows nothing else",
          },
          subagent_type: {
            type: "string",
            enum: ["research", "general"],
            description: "`research` reads and searches and changes nothing; `general` may also edit files and run commands. `research` unless said",
          },
          model_tier: {
            type: "string",
            enum: ["weak", "medium", "strong"],
            description: "How strong a model the task needs; never above your own, which it gets unless said",
          },
          output_schema: {
            type: "object",
            additionalProperties: true,
            description: "JSON Schema of type object: the answer is JSON that fits it",
          },
        },
        required: ["description", "prompt"],
      },
      timeoutMs: TIMEOUT_MS,
      needsAgent: true,
      // It does nothing itself: each call of the subagent is judged and asked about as its own.
      scopes: "none",
      run: (input) => runTask(input),
    });

    const runTask = async (input: Input): Promise<ToolResult> => {
      const { maxTurns, maxTokens, maxCostUsd, timeoutMinutes, maxConcurrent } = api.options;
      let session: AgentSession;
      let answer: AgentAnswer;
      try {
        session = await api.agent.session({
          name: oneLine(input.description).slice(0, MAX_NAME_CHARS).toWellFormed(),
          instructions: instructions[input.subagent_type ?? "research"],
          audience: input.subagent_type ?? "research",
          ...(input.model_tier === undefined ? {} : { tier: input.model_tier }),
          ...(input.output_schema === undefined ? {} : { outputSchema: input.output_schema }),
          limits: {
            maxTurns: Number(maxTurns),
            maxTokens: Number(maxTokens),
            maxCostUsd: Number(maxCostUsd),
            timeoutMs: Number(timeoutMinutes) * 60_000,
          },
          live: true,
          places: Number(maxConcurrent),
        });
        answer = await session.prompt(input.prompt);
      } catch (error) {
        return refused(error);
      }
      await session.close();
      return resultText(answer, session);
    };
  },
);
