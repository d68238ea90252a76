import type { PersonAnswer } from "mortise/sdk";

/** A question by what it is about, and what the person said; undefined where they turned away. */
export type Answered = { header: string; answer: PersonAnswer | undefined };

/** What a model reads: `Header: a, b` for each question that was asked. */
export function answersText(answered: readonly Answered[], notAsked: number): string {
  const lines = answered.map(({ header, answer }) => `${header}: ${answer === undefined ? "[the user did not answer]" : said(answer)}`);
  const rest =
    notAsked === 0 ? [] : [notAsked === 1 ? "[the last question was not asked any more]" : `[${notAsked} more questions were not asked any more]`];
  return [...lines, ...rest].join("\n");
}

function said({ chosen, text }: PersonAnswer): string {
  const parts = [...chosen, ...(text === undefined ? [] : [text])];
  return parts.length === 0 ? "none of them" : parts.join(", ");
}
