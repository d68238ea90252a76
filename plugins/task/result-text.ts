import type { AgentAnswer, AgentSession, Json, ToolResult } from "mortise/sdk";

/** What became of a task: the answer, and behind it in brackets what a reader has to know of it. */
export function resultText(answer: AgentAnswer, session: Pick<AgentSession, "model" | "tier" | "clamped">): ToolResult {
  const data = dataOf(answer, session);
  // What fits a schema is JSON, and nothing stands beside it.
  if (answer.output !== undefined) return { text: JSON.stringify(answer.output), data };
  const { ended } = answer;
  const isWhole = ended === "done" && answer.text !== "";
  const notes = [...(isWhole ? [] : [endNote(answer)]), ...sideNotes(answer, session)].map((note) => `[${note}]`);
  return {
    text: [...(answer.text === "" ? [] : [answer.text]), ...(notes.length === 0 ? [] : [notes.join("\n")])].join("\n\n"),
    isError: !isWhole && (answer.text === "" || !hasAnswered.includes(ended)),
    data,
    ...(ended === "timeout" || ended === "cancelled" ? { cut: ended } : {}),
  };
}

/** Ends after which the model was asked for what it has. */
const hasAnswered: readonly AgentAnswer["ended"][] = ["length", "max_turns", "max_tokens", "max_cost", "stuck"];

function endNote({ ended, text, error, faults, calls }: AgentAnswer): string {
  const what = text === "" ? "It said nothing until then" : "Above is what it said until then; what the task asks for beyond that is missing";
  const done = calls.length === 0 ? "" : ` It had made these calls: ${calls.map(callText).join(", ")}.`;
  switch (ended) {
    case "done":
      return `The subagent ended without an answer, though it was asked again.${done} Say more exactly what it is to answer, or do it yourself.`;
    case "length":
      return "The answer is cut off: it was longer than the model may write. Ask for less in one task.";
    case "max_turns":
      return `The subagent was stopped at its limit of turns. ${what}.${done} Give what is missing as a smaller task, or go on yourself.`;
    case "max_tokens":
      return `The subagent was stopped at its limit of tokens. ${what}.${done} Give what is missing as a smaller task, or go on yourself.`;
    case "max_cost":
      return `The subagent was stopped at its limit of cost. ${what}.${done} Go on without another one where you can.`;
    case "timeout":
      return `The subagent was stopped: its time was up. ${what}.${done} Give what is missing as a smaller task, or go on yourself.`;
    case "cancelled":
      return `The subagent was cancelled. ${what}.${done} What it was doing may have had effects.`;
    case "stuck":
      return `The subagent was stopped: it made the same calls again and again. ${what}.${done} Give the task another way.`;
    case "dropped":
      return "The task was not begun: a plugin dropped its prompt. Do not give it again unchanged.";
    case "no_output":
      return faults === undefined || faults.length === 0
        ? `The subagent gave no answer in the form that the schema asks for, though it was asked again. ${what}.${done}`
        : `The subagent's answer did not fit the schema, though it was asked again: ${faults.join("; ")}. ${what}.${done}`;
    case "error":
      return `The subagent failed: ${error?.message ?? "its model gave no answer."} ${what}.${done}`;
  }
}

function sideNotes({ calls }: AgentAnswer, { model, tier, clamped }: Pick<AgentSession, "model" | "tier" | "clamped">): string[] {
  const denied = calls.filter((each) => each.denied > 0).map((each) => `${each.tool} ${each.denied}`);
  return [
    ...(denied.length === 0 ? [] : [`Calls of it that were denied: ${denied.join(", ")}. Not to be tried another way.`]),
    ...(clamped ? [`It ran on ${model}, of tier ${tier}: there may be none stronger than your own.`] : []),
  ];
}

function callText({ tool, calls, failed, denied }: AgentAnswer["calls"][number]): string {
  const bad = [...(failed > 0 ? [`${failed} failed`] : []), ...(denied > 0 ? [`${denied} denied`] : [])].join(", ");
  return `${tool} ${calls}${bad === "" ? "" : ` (${bad})`}`;
}

function dataOf(
  { ended, calls, turns, tokens, costUsd, durationMs, output }: AgentAnswer,
  { model, tier }: Pick<AgentSession, "model" | "tier">,
): Json {
  return { ended, model, tier, turns, tokens, costUsd, durationMs, calls, ...(output === undefined ? {} : { output }) };
}
