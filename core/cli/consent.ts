import type { GrantQuestion } from "../host-types.ts";
import { framed } from "./framed.ts";
import type { Questions } from "./question.ts";
import type { Stdio } from "./stdio.ts";
import { unpadded, visibleLine } from "./visible.ts";

/** Asks a person whether a plugin gets what it asks for. Whatever is no clear yes grants nothing. */
export async function askConsent(
  question: GrantQuestion,
  questions: Questions,
  stdio: Pick<Stdio, "say" | "paintError">,
  signal: AbortSignal,
): Promise<boolean> {
  stdio.say(["", ...consentLines(question, stdio)].join("\n"));
  const answer = await questions.choose(
    "Grant it this?",
    [
      { value: "no", label: "No, not now" },
      { value: "yes", label: "Yes, until it asks for more" },
    ],
    signal,
  );
  return answer === "yes";
}

/** What a plugin asks for and what it means, for a person. */
export function consentLines(question: GrantQuestion, { paintError: paint }: Pick<Stdio, "paintError">): string[] {
  const text = question.consent.map((line) => unpadded(line)).join("\n");
  return [
    `${paint("bold", visibleLine(question.plugin))} (${visibleLine(question.path)}) asks for`,
    ...framed(text, { whole: true, bar: paint("dim", "│ ") }).lines,
  ];
}
