import { definePlugin, type Json, type PersonQuestion, type ToolInputs, type ToolResult } from "mortise/sdk";
import { failed } from "../files/failed.ts";
import { oneLine } from "../files/one-line.ts";
import { type Answered, answersText } from "./answers-text.ts";

type Input = ToolInputs["question"];

const MAX_QUESTIONS = 8;
/** A person takes what time they need: the call's clock stands still meanwhile, and this is for all the rest. */
const TIMEOUT_MS = 60_000;

const description = `Asks the user, and waits for the answer. For a decision that is theirs: what they prefer, what they meant, which of several ways to go. Not for what the files, the tools or good sense can answer, and not for leave to run a tool, which is asked for by itself.

- Give the options you see, the one you would take first. The user may choose one, type another answer, or turn away.
- Ask what belongs together in one call.`;

export default definePlugin({ name: "question", description: "Asks the user" }, (api) => {
  api.registerTool<Input>({
    name: "question",
    kind: "other",
    description,
    input: {
      type: "object",
      properties: {
        questions: {
          type: "array",
          minItems: 1,
          maxItems: MAX_QUESTIONS,
          description: "What to ask, in order",
          items: {
            type: "object",
            properties: {
              question: { type: "string", minLength: 1, maxLength: 2_000, pattern: "\\S", description: "The whole question" },
              header: { type: "string", maxLength: 60, description: "What it is about, in a word or two; the answer is given under it" },
              options: {
                type: "array",
                maxItems: 12,
                description: "What there is to choose from. The user may always type something else",
                items: {
                  type: "object",
                  properties: {
                    label: { type: "string", minLength: 1, maxLength: 200, pattern: "\\S", description: "A few words" },
                    description: { type: "string", maxLength: 500, description: "What choosing it means" },
                  },
                  required: ["label"],
                },
              },
              multiSelect: { type: "boolean", description: "Whether several may be chosen" },
            },
            required: ["question"],
          },
        },
      },
      required: ["questions"],
    },
    audiences: ["main"],
    timeoutMs: TIMEOUT_MS,
    needsPerson: true,
    scopes: "none",
    run: (input) => ask(input),
  });

  const ask = async ({ questions }: Input): Promise<ToolResult> => {
    const twice = questions.find(({ options = [] }) => new Set(options.map(({ label }) => oneLine(label))).size < options.length);
    if (twice !== undefined) return failed(`Two options of "${oneLine(twice.question)}" have the same label. Give each its own.`);
    const empty = questions.find(({ question, options = [] }) =>
      [question, ...options.map(({ label }) => label)].some((text) => oneLine(text) === ""),
    );
    if (empty !== undefined) return failed("A question or an option has no text that can be seen. Say what is asked, and name each option.");
    const answered: Answered[] = [];
    for (const { question, header, options = [], multiSelect = false } of questions) {
      const asked: PersonQuestion = {
        question,
        options: options.map(({ label, description }) => ({ label: oneLine(label), ...(description === undefined ? {} : { description }) })),
        multiple: multiSelect,
      };
      try {
        answered.push({ header: oneLine(header ?? "") || oneLine(question), answer: await api.person.ask(asked) });
      } catch (error) {
        return refused(error, answered);
      }
      // Who turns away from one question does not want the next.
      if (answered.at(-1)?.answer === undefined) break;
    }
    return { text: answersText(answered, questions.length - answered.length), data: { answers: answered.map(asData) } };
  };
});

function asData({ header, answer }: Answered): Json {
  return { header, chosen: answer?.chosen ?? [], text: answer?.text ?? null, dismissed: answer === undefined };
}

/** What was answered until then, and what the host refuses with, which is a sentence. */
function refused(error: unknown, answered: readonly Answered[]): ToolResult {
  if (!(error instanceof Error && "code" in error)) throw error;
  return { text: answered.length === 0 ? error.message : `${answersText(answered, 0)}\n[${error.message}]`, isError: true };
}
