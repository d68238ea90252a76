import type { PersonAnswer } from "../../sdk/api.ts";
import type { Person, PersonRequest } from "../person.ts";
import { framed } from "./framed.ts";
import type { Choice, ManyQuestions } from "./question.ts";
import type { Stdio } from "./stdio.ts";
import { unpadded, visibleLine } from "./visible.ts";

/** A choice of the question's own, by its place, or one of ours. */
type Taken = `${number}` | "type" | "none";

/** Asks a person on the terminal what a plugin wants to know. Who asks stands above, and the plugin's words behind a bar, so that they pass for none of ours. */
export function createPerson(questions: ManyQuestions, stdio: Pick<Stdio, "say" | "paintError">): Person {
  return {
    async ask(request) {
      stdio.say(describe(request, stdio).join("\n"));
      if (request.options.length === 0) return typed(await questions.line(`Your answer to ${visibleLine(request.plugin)}`, request.signal), []);
      return request.multiple ? askSeveral(request, questions) : askOne(request, questions);
    },
  };
}

async function askOne(request: PersonRequest, questions: ManyQuestions): Promise<PersonAnswer | undefined> {
  const pick = await questions.choose<Taken>(`Your answer to ${visibleLine(request.plugin)}`, choicesOf(request), request.signal);
  if (pick === undefined || pick === "none") return undefined;
  if (pick === "type") return typed(await questions.line("Your answer", request.signal), []);
  return { chosen: labels(request, [pick]) };
}

async function askSeveral(request: PersonRequest, questions: ManyQuestions): Promise<PersonAnswer | undefined> {
  const picks = await questions.several<Taken>(`Your answers to ${visibleLine(request.plugin)}`, choicesOf(request), request.signal);
  if (picks === undefined || picks.includes("none")) return undefined;
  const chosen = labels(request, picks);
  return picks.includes("type") ? typed(await questions.line("Your answer", request.signal), chosen) : { chosen };
}

function choicesOf({ options, freeText }: PersonRequest): Choice<Taken>[] {
  return [
    ...options.map(({ label, description }, index): Choice<Taken> => {
      const hint = description === undefined ? "" : visibleLine(unpadded(description));
      return { value: `${index}`, label: visibleLine(unpadded(label)), ...(hint === "" ? {} : { hint }) };
    }),
    ...(freeText ? [{ value: "type", label: "Something else" } as const] : []),
    { value: "none", label: "Do not answer" },
  ];
}

function labels({ options }: PersonRequest, picks: readonly Taken[]): string[] {
  return options.filter((_, index) => picks.includes(`${index}`)).map(({ label }) => label);
}

/** An empty line is no answer. */
function typed(line: string | undefined, chosen: string[]): PersonAnswer | undefined {
  if (line === undefined) return undefined;
  const text = line.trim();
  if (text === "") return chosen.length === 0 ? undefined : { chosen };
  return { chosen, text };
}

function describe({ plugin, tool, question, options }: PersonRequest, { paintError: paint }: Pick<Stdio, "paintError">): string[] {
  const who = tool === plugin ? paint("bold", visibleLine(plugin)) : `${paint("bold", visibleLine(plugin))}, in its tool ${visibleLine(tool)},`;
  const bar = paint("dim", "│ ");
  const described = options.flatMap(({ label, description }) => (description ? [`- ${unpadded(label)}: ${unpadded(description)}`] : []));
  const text = [unpadded(question), ...described].join("\n");
  return ["", `${who} asks you`, ...framed(text, { whole: true, bar }).lines];
}
