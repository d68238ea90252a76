import { MortiseError } from "../../sdk/errors.ts";
import { costOf } from "../models/cost.ts";
import { callsOf } from "../session/valid-history.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { RunContext } from "./agent-state.ts";
import { type Asked, askModel } from "./ask-model.ts";
import { compact } from "./compaction/compact.ts";
import { usedBy } from "./estimated-usage.ts";
import { tokensIn } from "./gauge.ts";
import { MAX_TURN_OUTPUT } from "./limits.ts";
import { addMessage } from "./messages.ts";
import { outputBudget } from "./output-budget.ts";
import { forgetsThinking } from "./thinking.ts";

/** Asks for the next answer. Where the provider finds the conversation too long it is compacted once, and asked again. */
export async function askTurn(run: RunContext): Promise<Asked> {
  for (let overflows = 0; ; ) {
    try {
      return await askOnce(run);
    } catch (error) {
      run.signal.throwIfAborted();
      if (forgetsThinking(run, error)) continue;
      const isOverflow = error instanceof MortiseError && error.code === "context_overflow";
      if (!isOverflow || !run.agent.compaction.auto || ++overflows > 1) throw error;
      if ((await compact(run, "overflow", "")) !== "done") throw exhausted(error);
    }
  }
}

/** Adds an answer to the history and to what was spent, and tells the turn's end. Tools have not run then. */
export async function keepAnswer(run: RunContext, { answer, model }: Asked): Promise<void> {
  const { gauge, history } = run.agent;
  const usage = usedBy(run, model.id, answer, history.messages);
  const costUsd = costOf(usage, model.price);
  run.text += answer.text();
  await addMessage(run, { role: "assistant", parts: answer.parts, model: model.id });
  if (answer.usage.input + answer.usage.cacheRead + answer.usage.cacheWrite > 0) gauge.measured(answer.usage);
  else gauge.reset(Math.max(gauge.tokens(), tokensIn(history.messages)));
  for (let sent = run.sent.shift(); sent !== undefined; sent = run.sent.shift()) sent.tell("delivered");
  run.emit({
    type: "turn_end",
    turn: run.turns,
    text: answer.text(),
    calls: callsOf({ role: "assistant", parts: answer.parts, model: model.id }).map(({ toolId, tool, input }) => ({ toolId, tool, input })),
    model: model.id,
    usage,
    costUsd,
    contextTokens: gauge.tokens(),
    contextWindow: model.contextWindow,
  });
  run.ledger.add(model.id, usage, costUsd);
}

async function askOnce(run: RunContext): Promise<Asked> {
  const { host, audience, history, gauge, model, instructions } = run.agent;
  // Anew for each request: tools come and go, and what is offered is what may be called.
  const tools = await unlessAborted(host.definitions(audience), run.signal);
  run.polling = new Set(tools.filter(({ polls }) => polls).map(({ name }) => name));
  const system = instructions();
  const { messages } = history;
  const around = Math.ceil((system.length + tools.reduce((sum, tool) => sum + sizeOf(tool), 0)) / 4);
  return askModel(
    run,
    {
      model,
      instructions: system,
      messages,
      tools,
      maxOutput: outputBudget(model, Math.max(gauge.tokens(), tokensIn(messages) + around), MAX_TURN_OUTPUT),
      thinking: (message) => run.thinking && !run.agent.forgotten.has(message),
    },
    {
      onText: (text) => run.emit({ type: "text_delta", text }),
      onThinking: (text) => run.emit({ type: "thinking_delta", text }),
      onCall: ({ toolId, tool }) => run.emit({ type: "tool_pending", toolId, tool }),
    },
  );
}

const schemas = new WeakMap<object, number>();

function sizeOf({ name, description, inputSchema }: { name: string; description: string; inputSchema: object }): number {
  const schema = schemas.get(inputSchema) ?? JSON.stringify(inputSchema).length;
  schemas.set(inputSchema, schema);
  return name.length + description.length + schema;
}

function exhausted(cause: MortiseError): MortiseError {
  return new MortiseError("context_budget_exhausted", { seen: cause.seen ?? "nothing is left to sum up", cause });
}
