import { MortiseError } from "../../../sdk/errors.ts";
import { costOf } from "../../models/cost.ts";
import type { RunContext } from "../agent-state.ts";
import { askModel } from "../ask-model.ts";
import { usedBy } from "../estimated-usage.ts";
import { tokensIn } from "../gauge.ts";
import { MAX_SUMMARY_OUTPUT } from "../limits.ts";
import type { Message } from "../message.ts";
import { outputBudget } from "../output-budget.ts";
import { prepareCompaction } from "../slots.ts";
import { chooseCollapse, forSummary } from "./collapse.ts";
import { withoutOldestRound } from "./split.ts";
import { summaryInstructions, summaryRequest } from "./summary-prompt.ts";

const MAX_TRIES = 3;

/**
 * The model's own summary of messages, asked for without tools. Where that is too long to be asked, results are left out, then the oldest rounds.
 * Undefined where the run was stopped meanwhile. @throws MortiseError `summary_failed`, and what `askModel` throws.
 */
export async function summarise(run: RunContext, messages: readonly Message[], more: readonly string[]): Promise<string | undefined> {
  const model = run.agent.summaryModel ?? run.agent.model;
  const choice = chooseCollapse(messages);
  let collapse = (await prepareCompaction(run, () => choice)) ?? choice.collapse;
  let rest = messages;
  for (let attempt = 1; ; attempt++) {
    const request: readonly Message[] = [...forSummary(rest, collapse), { role: "user", text: summaryRequest(more) }];
    try {
      const { kind, answer } = await askModel(run, {
        model,
        instructions: summaryInstructions,
        messages: request,
        tools: [],
        maxOutput: outputBudget(model, tokensIn(request), MAX_SUMMARY_OUTPUT),
        thinking: () => false,
      });
      if (kind === "cut") return undefined;
      const usage = usedBy(run, model.id, answer, request);
      run.ledger.add(model.id, usage, costOf(usage, model.price));
      const summary = answer.text().trim();
      if (summary === "") throw new MortiseError("summary_failed", { seen: "the model's summary was empty" });
      return summary;
    } catch (error) {
      if (!(error instanceof MortiseError) || error.code !== "context_overflow" || attempt === MAX_TRIES) throw error;
      const results = chooseCollapse(rest, 0).collapse;
      if (results.length > collapse.length) collapse = results;
      else {
        const shorter = withoutOldestRound(rest);
        if (shorter === undefined) throw error;
        rest = shorter;
        collapse = chooseCollapse(rest, 0).collapse;
      }
    }
  }
}
