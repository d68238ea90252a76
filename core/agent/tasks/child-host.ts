import { randomUUID } from "node:crypto";
import type { Json } from "../../../sdk/api.ts";
import { type Code, sentence } from "../../../sdk/errors.ts";
import type { CallRequest, Task, ToolInfo } from "../../host-types.ts";
import type { CallRecord } from "../../record.ts";
import type { AgentHost } from "../agent-state.ts";
import type { ChildCall, ChildRequest } from "./driver.ts";
import { OUTPUT_TOOL, type OutputSchema } from "./output.ts";

export type ChildHost = {
  readonly host: AgentHost;
  /** Another prompt: what was answered to the last one counts no more. */
  begin(): void;
  /** Calls are refused from here on, but for the answer itself. */
  refuse(): void;
  /** What fits the schema, and what did not fit the last time. */
  output(): { output?: Json; faults: readonly string[] };
};

/**
 * The host as a subagent reaches it: with the tools of its audience that whoever opened it pays for, and with a tool for an answer that has to fit.
 * @param pause Stops the clocks that wait for it while a person is asked.
 * @param onOutput Told when an answer fits and no other call is under way.
 */
export function createChildHost(
  host: AgentHost,
  request: ChildRequest,
  call: ChildCall,
  task: Task,
  schema: OutputSchema | undefined,
  { pause, onOutput }: { pause(): () => void; onOutput(): void },
): ChildHost {
  let refuses = false;
  let given: { output?: Json; faults: readonly string[] } = { faults: [] };
  let underWay = 0;

  const own = (asked: CallRequest, text: string, code: Code | null = null): CallRecord => ({
    ...blank,
    tool: asked.tool,
    toolId: randomUUID(),
    sessionId: asked.sessionId ?? host.sessionId,
    taskId: task.id,
    parentId: task.parentId,
    input: asked.input,
    text,
    isError: code !== null,
    code,
  });

  const take = (asked: CallRequest, { check }: OutputSchema): CallRecord => {
    const checked = check(asked.input);
    if ("faults" in checked) {
      given = { ...given, faults: checked.faults };
      return own(
        asked,
        `The answer does not fit its schema: ${checked.faults.join("; ")}. Correct that and call ${OUTPUT_TOOL} again.`,
        "invalid_input",
      );
    }
    given = { output: checked.output, faults: [] };
    return own(asked, "The answer was taken. Nothing more is to be done.");
  };

  const answer = async (asked: CallRequest): Promise<CallRecord> => {
    const name = asked.tool.startsWith("functions.") ? asked.tool.slice("functions.".length) : asked.tool;
    if (schema !== undefined && name === OUTPUT_TOOL) return take({ ...asked, tool: name }, schema);
    if (request.audience === undefined) return own(asked, sentence("unknown_tool", `"${name}": there are none here`), "unknown_tool");
    if (refuses) return own(asked, "The call was not run: the limits of this task are reached. Answer with what you have.", "cancelled");
    if (!request.mayUse(name)) return own(asked, sentence("not_granted", `${name}, for the plugin that this task is of`), "not_granted");
    return callHost(asked);
  };

  const callHost = async (asked: CallRequest): Promise<CallRecord> => {
    let resume = () => {};
    try {
      return await host.call({
        ...asked,
        task,
        cwd: call.cwd,
        ...(call.yolo === undefined ? {} : { yolo: call.yolo }),
        onWaiting(waiting) {
          resume();
          resume = waiting ? pause() : () => {};
          asked.onWaiting?.(waiting);
        },
      });
    } finally {
      resume();
    }
  };

  return {
    host: {
      ...host,
      async definitions(audience) {
        const tools = request.audience === undefined ? [] : await host.definitions(audience);
        const others = tools.filter(({ name }) => name !== OUTPUT_TOOL && request.mayUse(name));
        return schema === undefined ? others : [...others, outputTool(schema.schema)];
      },
      async call(asked) {
        underWay++;
        try {
          return await answer(asked);
        } finally {
          if (--underWay === 0 && given.output !== undefined) onOutput();
        }
      },
    },
    begin() {
      refuses = false;
      given = { faults: [] };
    },
    refuse() {
      refuses = true;
    },
    output: () => given,
  };
}

function outputTool(inputSchema: Record<string, unknown>): ToolInfo {
  return {
    name: OUTPUT_TOOL,
    plugin: "host",
    description: "Gives the answer to the task. The task is done with it: call it once, alone and last, with all of the answer.",
    kind: "other",
    capability: null,
    audiences: ["research", "general"],
    inputSchema,
    timeoutMs: 120_000,
    polls: false,
  };
}

const blank = {
  origin: "model",
  ran: false,
  stopped: null,
  respondedBy: null,
  permission: { decision: "none", source: "none", scopes: [] },
  trace: [],
  durationMs: 0,
  cut: null,
  spill: null,
} satisfies Partial<CallRecord>;
