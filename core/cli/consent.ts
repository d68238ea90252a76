import type { GrantQuestion } from "../host-types.ts";
import { framed } from "./framed.ts";
import type { Questions } from "./question.ts";
import type { Stdio } from "./stdio.ts";
import { unpadded, visibleLine } from "./visible.ts";

/** Asks a person whether a plugin gets what it asks for; undefined where they turned away. */
export async function askConsent(
  question: GrantQuestion,
  questions: Questions,
  stdio: Pick<Stdio, "say" | "paintError">,
  signal: AbortSignal,
): Promise<"yes" | "no" | undefined> {
  stdio.say(`\n${consentText(question, stdio)}`);
  return questions.choose(
    "Grant it this?",
    [
      { value: "no", label: "No" },
      { value: "yes", label: "Yes, until it asks for more" },
    ],
    signal,
  );
}

/** What a plugin asks for and what it means, for a person. */
export function consentText(question: GrantQuestion, { paintError: paint }: Pick<Stdio, "paintError">): string {
  const lines = question.consent.map((line) => unpadded(line)).join("\n");
  const asks = question.reason === undefined ? "asks for" : reasons[question.reason];
  const head = `${paint("bold", visibleLine(question.plugin))} (${visibleLine(question.path)}) ${asks} this: it`;
  return [head, ...framed(lines, { whole: true, bar: paint("dim", "│ ") }).lines].join("\n");
}

const reasons = { new: "asks for", grown: "asks for more than before, altogether", changed: "changed, and asks for" };
