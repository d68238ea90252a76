import { type AgentAnswer, type AgentSession, definePlugin, type ToolInputs, type ToolResult } from "mortise/sdk";
import { failed, refused } from "../files/failed.ts";
import { oneLine } from "../files/one-line.ts";
import { description } from "./description.ts";
import { instructions } from "./instructions.ts";
import { resultText } from "./result-text.ts";
import { begunText, listText, missingText, taskText, waitedText } from "./task-text.ts";

type Input = ToolInputs["task"];
type ResultInput = ToolInputs["task_result"];
type WaitInput = ToolInputs["task_wait"];

/** The last resort: the subagent's own time is less, and waiting for a place is not counted in it. */
const TIMEOUT_MS = 3_600_000;
const MAX_NAME_CHARS = 60;
const WAIT_MS = 60_000;
const MAX_WAIT_MS = 600_000;

export default definePlugin(
  {
    name: "task",
    description: "Has a subagent work on a task",
    // What calls of any tool cost: a subagent has no others.
    capabilities: { fs_read: true, fs_write: true, net: true, run: true, env: true },
    options: { maxConcurrent: 8, maxTurns: 50, maxTokens: 1_000_000, maxCostUsd: 5, timeoutMinutes: 30, allowModel: false },
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
          background: { type: "boolean", description: "Do not wait for it: you get an id, and its end is reported to you" },
          ...(api.options.allowModel === true
            ? { model: { type: "string", maxLength: 200, description: "The very model it runs on, as `provider/name`; goes before `model_tier`" } }
            : {}),
        },
        required: ["description", "prompt"],
      },
      timeoutMs: TIMEOUT_MS,
      needsAgent: true,
      // It does nothing itself: each call of the subagent is judged and asked about as its own.
      scopes: "none",
      run: (input) => runTask(input),
    });

    api.registerTool<ResultInput>({
      name: "task_result",
      kind: "other",
      description:
        "Shows all of the answer of a task that works in the background, or that it is still at work. Its end is reported to you by itself, so use this only where the report was cut, or to cancel the task.",
      audiences: ["main"],
      input: {
        type: "object",
        properties: {
          id: { type: "string", minLength: 1, maxLength: 200, description: "The id of the task, or its description" },
          cancel: { type: "boolean", description: "End it, and get what it has" },
        },
        required: ["id"],
      },
      needsAgent: true,
      polls: true,
      scopes: "none",
      run: (input) => showResult(input).catch(refused),
    });

    api.registerTool<WaitInput>({
      name: "task_wait",
      kind: "other",
      description:
        "Waits until tasks in the background are over, and shows their answers. For when you can do nothing without them. It answers after `timeout_ms` too, with those that are over; the others work on.",
      audiences: ["main"],
      input: {
        type: "object",
        properties: {
          ids: {
            type: "array",
            maxItems: 50,
            items: { type: "string", minLength: 1, maxLength: 200 },
            description: "Ids or descriptions of tasks; all that are at work unless said",
          },
          timeout_ms: { type: "integer", minimum: 1, maximum: MAX_WAIT_MS, description: `Milliseconds, ${WAIT_MS} unless said` },
        },
      },
      timeoutMs: MAX_WAIT_MS + 60_000,
      needsAgent: true,
      polls: true,
      scopes: "none",
      run: (input) => waitFor(input).catch(refused),
    });

    api.registerCommand({
      name: "tasks",
      description: "list the tasks at work in the background; `stop` and a name or an id ends one",
      run: async (args) => {
        const [, which] = /^\s*stop\s+(.*\S)\s*$/.exec(args) ?? [];
        if (which === undefined) return listText(await api.agent.tasks());
        const stopped = await api.agent.stop(which);
        return stopped === undefined ? missingText(which, await api.agent.tasks()) : `"${stopped.name}" is over.`;
      },
    });

    const showResult = async ({ id, cancel = false }: ResultInput): Promise<ToolResult> => {
      const stopped = cancel ? await api.agent.stop(id) : undefined;
      const [found] = stopped === undefined ? await api.agent.wait([id]) : [stopped];
      return found === undefined ? failed(missingText(id, await api.agent.tasks())) : taskText(found);
    };

    const waitFor = async ({ ids, timeout_ms = WAIT_MS }: WaitInput): Promise<ToolResult> => {
      const known = await api.agent.tasks();
      const wanted = ids === undefined || ids.length === 0 ? known.filter(({ status }) => status === "working").map(({ id }) => id) : ids;
      return waitedText(wanted, await api.agent.wait(wanted, { timeoutMs: timeout_ms }), known);
    };

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
          ...(input.model === undefined ? {} : { model: input.model }),
          background: input.background === true,
          live: input.background !== true,
          places: Number(maxConcurrent),
        });
        if (input.background === true) return begunText(await session.start(input.prompt, { more: "task_result with its id shows all of it" }));
        answer = await session.prompt(input.prompt);
      } catch (error) {
        return refused(error);
      }
      await session.close();
      return resultText(answer, session);
    };
  },
);
