import type { AgentAnswer } from "../../../sdk/api.ts";

/** Characters of one report: the model gets it unasked. */
const MAX_CHARS = 2_000;

type Ended = { id: string; name: string; answer: AgentAnswer; more: string };

/** What a session is told of a task that ended in its background, redacted and no longer than a report may be. */
export async function reportOf({ id, name, answer, more }: Ended, clean: (text: string) => Promise<string>): Promise<string> {
  const head = `The background task "${name}" (${id}) ${ends[answer.ended]}.`;
  const said = answer.output === undefined ? answer.text : JSON.stringify(answer.output);
  const failure = answer.error === undefined ? [] : [answer.error.message];
  const text = await clean([head, ...failure, ...(said.trim() === "" ? [] : [`It says:\n\n${said}`])].join(" ")).catch(
    () => `The background task ${id} is over. What it says could not be cleaned of secrets.`,
  );
  if (text.length <= MAX_CHARS) return text;
  const rest = `\n[cut here${more === "" ? "" : `; ${more}`}]`.slice(0, MAX_CHARS / 4);
  return `${text.slice(0, MAX_CHARS - rest.length).toWellFormed()}${rest}`;
}

const ends: Readonly<Record<AgentAnswer["ended"], string>> = {
  done: "is done",
  length: "is done; its answer was cut at its longest",
  max_turns: "was stopped at its limit of turns",
  max_tokens: "was stopped at its limit of tokens",
  max_cost: "was stopped at its limit of cost",
  timeout: "was stopped: its time was up",
  cancelled: "was cancelled",
  stuck: "was stopped: it made the same calls again and again",
  dropped: "was not begun: a plugin dropped its prompt",
  no_output: "gave no answer that fits its schema",
  error: "failed",
};
