import { randomUUID } from "node:crypto";
import type { AgentAnswer } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { costOf } from "../../models/cost.ts";
import type { Model, Tier } from "../../models/model.ts";
import type { RunContext } from "../agent-state.ts";
import { askModel } from "../ask-model.ts";
import { usedBy } from "../estimated-usage.ts";
import { tokensIn } from "../gauge.ts";
import { createLedger, tokensOf } from "../ledger.ts";
import type { Message } from "../message.ts";
import { outputBudget } from "../output-budget.ts";
import type { Child, ConsultCall, ConsultRequest } from "./driver.ts";

/** Of a whole consultation, unless it asks for other ones. */
const defaults = { maxTurns: 4, maxTokens: 50_000, maxCostUsd: 1, timeoutMs: 20_000 };
const MAX_OUTPUT = 4_096;
/** What a layer has left to make something of an answer, in milliseconds. */
const MARGIN_MS = 1_000;

type Ended = AgentAnswer["ended"];

/**
 * What a layer that answers for a person asks a model: words alone, no tool and no part of the conversation, paid for by the run whose call waits for it.
 * It ends with its own time, with the layers of that prompt, and with the run. Only a whole answer has a text, so that no part of one is taken for a decision.
 */
export function createConsultation(
  run: RunContext,
  request: ConsultRequest,
  call: ConsultCall,
  { model, tier, clamped }: { model: Model; tier: Tier; clamped: boolean },
): Child {
  const { clock, host } = run.agent;
  const limits = { ...defaults, ...given(request.limits) };
  const ledger = createLedger(run.ledger);
  const messages: Message[] = [];
  const closed = new AbortController();
  const around = AbortSignal.any([run.signal, call.signal, closed.signal]);
  let workedMs = 0;
  let turns = 0;
  let last: Promise<unknown> = Promise.resolve();

  const limitReached = (): Ended | undefined => {
    const { usage, costUsd } = ledger.total();
    if (turns >= limits.maxTurns) return "max_turns";
    if (tokensOf(usage) >= limits.maxTokens) return "max_tokens";
    return (costUsd ?? 0) >= limits.maxCostUsd ? "max_cost" : undefined;
  };
  const answerOf = (ended: Ended, durationMs: number, text = "", error?: MortiseError): AgentAnswer => {
    const { usage, costUsd } = ledger.total();
    return {
      text,
      ended,
      ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
      calls: [],
      turns,
      tokens: tokensOf(usage),
      costUsd,
      durationMs: Math.round(durationMs),
    };
  };

  const ask = async (text: string): Promise<AgentAnswer> => {
    around.throwIfAborted();
    const reached = limitReached();
    if (reached !== undefined) return answerOf(reached, 0);
    const leftMs = Math.min(limits.timeoutMs - workedMs, call.remainingMs() - MARGIN_MS);
    if (leftMs <= 0) return answerOf("timeout", 0);
    const begun = clock.now();
    const late = new AbortController();
    const forget = clock.timer(leftMs, () => late.abort(new MortiseError("deadline_passed", { seen: `no answer within ${leftMs} ms` })));
    try {
      const signal = AbortSignal.any([around, late.signal]);
      // What tools would not show a model is not shown to this one either.
      const [instructions = "", said = ""] = await host.agent.clean([request.instructions ?? "Answer what you are asked.", text]);
      const asked = [...messages, { role: "user", text: said } as const];
      turns++;
      const { kind, answer } = await askModel(
        // Nobody looks on, so nothing is told of it, and nobody is asked for a key.
        { ...run, agent: { ...run.agent, reauth: undefined }, signal, endsAt: Math.min(run.endsAt, begun + leftMs), emit: () => {} },
        {
          model,
          instructions,
          messages: asked,
          tools: [],
          maxOutput: outputBudget(model, tokensIn(asked), MAX_OUTPUT),
          thinking: () => false,
        },
      );
      const durationMs = clock.now() - begun;
      if (kind === "cut") return answerOf(late.signal.aborted ? "timeout" : "cancelled", durationMs);
      const words = answer.text().trim();
      messages.push({ role: "user", text: said }, { role: "assistant", parts: [{ type: "text", text: words }], model: model.id });
      const usage = usedBy(run, model.id, answer, asked);
      ledger.add(model.id, usage, costOf(usage, model.price));
      // A limit of the run may be reached with it.
      if (around.aborted) return answerOf("cancelled", durationMs);
      if (answer.finish === "length") return answerOf("length", durationMs);
      // Some servers call what is not there, and say that they stopped.
      const isWords = answer.finish === "stop" && answer.parts.every(({ type }) => type !== "call");
      return isWords ? answerOf("done", durationMs, words) : answerOf("no_output", durationMs);
    } catch (cause) {
      around.throwIfAborted();
      const error = cause instanceof MortiseError ? cause : new MortiseError("internal", { seen: String(cause), cause });
      return answerOf("error", clock.now() - begun, "", error);
    } finally {
      forget();
      workedMs += clock.now() - begun;
    }
  };

  return {
    id: randomUUID(),
    name: "",
    model: model.id,
    tier,
    clamped,
    prompt(text) {
      const answer = last.then(() => ask(text));
      last = answer.catch(() => {});
      return answer;
    },
    partial: () => "",
    async close() {
      closed.abort(new MortiseError("cancelled", { seen: "the conversation is over" }));
      await last;
    },
  };
}

/** What was asked for, without what was not. */
function given(limits: ConsultRequest["limits"]): Partial<typeof defaults> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
