import type { Asker, PromptAnswer, PromptRequest, Scope } from "../permission/permission.ts";
import { framed } from "./framed.ts";
import type { Choice, Questions } from "./question.ts";
import type { Stdio } from "./stdio.ts";
import { unpadded, visibleLine } from "./visible.ts";

type Answer = "deny" | "once" | "session" | "project" | "user" | "guide" | "never_project" | "never_user" | "whole";

/** Asks a person on the terminal about a tool call, one call at a time. Whatever is no clear yes denies. */
export function createAsker(questions: Questions, stdio: Pick<Stdio, "say" | "paintError">): Asker {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = last.then(() => ask(request, questions, stdio));
    last = answer.catch(() => {});
    return answer;
  };
}

async function ask(request: PromptRequest, questions: Questions, stdio: Pick<Stdio, "say" | "paintError">): Promise<PromptAnswer> {
  let whole = false;
  for (;;) {
    if (request.signal.aborted) return { decision: "deny" };
    const { lines, cut } = describe(request, stdio, whole);
    stdio.say(lines.join("\n"));
    const answer = await questions.choose<Answer>("Allow this call?", choicesOf(request, cut), request.signal);
    if (answer === "whole") {
      whole = true;
      continue;
    }
    if (answer === "guide") return { decision: "deny", ...guidance(await questions.line("What should it do instead?", request.signal)) };
    return answers[answer ?? "deny"];
  }
}

const answers: Readonly<Record<Exclude<Answer, "whole" | "guide">, PromptAnswer>> = {
  deny: { decision: "deny" },
  once: { decision: "allow" },
  session: { decision: "allow", remember: "session" },
  project: { decision: "allow", remember: "project" },
  user: { decision: "allow", remember: "user" },
  never_project: { decision: "deny", remember: "project" },
  never_user: { decision: "deny", remember: "user" },
};

function guidance(text: string | undefined): { guidance?: string } {
  return text === undefined || text.trim() === "" ? {} : { guidance: text.trim() };
}

function choicesOf({ suggestions, denials }: PromptRequest, cut: boolean): Choice<Answer>[] {
  const whole: Choice<Answer>[] = cut ? [{ value: "whole", label: "Show all of it first" }] : [];
  const always: Choice<Answer>[] = [
    { value: "session", label: "Allow for this session" },
    { value: "project", label: "Allow always in this project" },
    { value: "user", label: "Allow always, everywhere" },
  ];
  const never: Choice<Answer>[] = [
    { value: "never_project", label: "Deny always in this project" },
    { value: "never_user", label: "Deny always, everywhere" },
  ];
  return [
    { value: "deny", label: "Deny" },
    ...whole,
    { value: "once", label: "Allow once" },
    ...(suggestions.some(({ effect }) => effect === "allow") ? always : []),
    { value: "guide", label: "Deny, and say what to do instead" },
    ...(denials.length > 0 ? never : []),
  ];
}

/** The question as lines: the tool, what would run, who asked and why, and each scope. `cut` says that something is not shown. */
function describe(request: PromptRequest, { paintError: paint }: Pick<Stdio, "paintError">, whole: boolean): { lines: string[]; cut: boolean } {
  const input = framed(inputText(request.input), { whole, bar: paint("dim", "│ ") });
  const scopes = framed(request.scopes.map(scopeText).join("\n"), { whole, bar: "  " });
  const again = framed(request.asksAgain.map(scopeText).join("\n"), { whole, bar: "  " });
  const asked = framed(request.reasons.map(({ plugin, reason }) => `${visibleLine(plugin)} asks: ${unpadded(reason)}`).join("\n"), {
    whole,
    bar: "  ",
  });
  const stores = framed(
    [...request.suggestions, ...request.denials]
      .map(({ tool, pattern, effect }) => `${effect.padEnd(7)}${visibleLine(tool)}: ${unpadded(pattern)}`)
      .join("\n"),
    { whole, bar: "  " },
  );
  return {
    lines: [
      "",
      `${paint("bold", visibleLine(request.tool))}${callerText(request)} would run with`,
      ...input.lines,
      ...(request.reasons.length === 0 ? [] : asked.lines.map((line) => paint("yellow", line))),
      ...(request.scopes.length === 0 ? [] : ["It needs a yes for", ...scopes.lines]),
      ...(request.suggestions.length === 0 ? ["No rule can allow it for good."] : []),
      ...(request.suggestions.length === 0 || request.asksAgain.length === 0 ? [] : ["Kept or not, it goes on asking about", ...again.lines]),
      ...(request.suggestions.length + request.denials.length === 0 ? [] : ["An answer that is kept stores", ...stores.lines]),
    ],
    cut: input.cut || scopes.cut || asked.cut || stores.cut || again.cut,
  };
}

/** Who calls it, where the model of the session does not itself. */
function callerText({ parent, task }: PromptRequest): string {
  const by = [
    ...(parent === undefined ? [] : [`called by ${visibleLine(parent.tool)}`]),
    ...(task === undefined ? [] : [`for the subagent ${visibleLine(task.name)}`]),
  ];
  return by.length === 0 ? "" : `, ${by.join(" ")},`;
}

function inputText(input: Record<string, unknown>): string {
  return Object.entries(input)
    .map(
      ([field, value]) =>
        `${visibleLine(field)}: ${unpadded(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).replaceAll("\n", "\n  ")}`,
    )
    .join("\n");
}

function scopeText(scope: Scope): string {
  const what = scope.access === undefined ? scope.kind : `${scope.access} ${scope.kind}`;
  return `${what.padEnd(11)}${unpadded(scope.text)}${scope.protected === true ? "  (protected: no rule can allow it)" : ""}`;
}
