import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod/mini";
import type { PersonAnswer, PersonQuestion } from "../sdk/api.ts";
import { MortiseError } from "../sdk/errors.ts";
import type { Deadline } from "./deadline.ts";
import { aborted, type Lock } from "./permission/lock.ts";

/** What a plugin asks a person, as the program shows it. Nothing in it is believed: characters that steer a terminal have to be shown escaped, and who asks with them. */
export type PersonRequest = {
  plugin: string;
  tool: string;
  question: string;
  options: readonly { label: string; description?: string }[];
  multiple: boolean;
  freeText: boolean;
  signal: AbortSignal;
};

/** Asks a person what a plugin wants to know, one question at a time. */
export type Person = {
  /** Undefined where the person turned away. */
  ask(request: PersonRequest): Promise<PersonAnswer | undefined>;
  /** Whether anybody can answer now; always unless said. */
  isThere?(): boolean;
};

/** What asks: a tool call, or a command under the name of a tool. */
export type Asking = { tool: { name: string }; deadline: Pick<Deadline, "signal" | "pause"> };

/** How plugins reach a person. */
export type Persons = {
  /** Tools that need a person are there while this is so. */
  isThere(): boolean;
  /**
   * Asks for the plugin whose tool or command runs. Its clock stops meanwhile.
   * @throws MortiseError `nobody_there`, `wrong_argument`, `too_many_requests`, `cancelled`, `deadline_passed`.
   */
  ask(plugin: string, call: Asking, question: unknown): Promise<PersonAnswer | undefined>;
};

/** How long a question that was cancelled has to leave the screen before the next one comes, in milliseconds. */
const GONE_MS = 500;
/** Questions that one call may ask. */
const MAX_PER_CALL = 20;
const MAX_QUESTION_CHARS = 2_000;
const MAX_OPTIONS = 20;
const MAX_LABEL_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 500;
const MAX_ANSWER_CHARS = 10_000;

const Label = z.string().check(z.minLength(1), z.maxLength(MAX_LABEL_CHARS), z.regex(/^(?=.*\S)[^\p{Cc}\u2028\u2029]+$/u));
const Question = z.object({
  question: z.string().check(z.minLength(1), z.maxLength(MAX_QUESTION_CHARS)),
  options: z.optional(
    z.array(z.object({ label: Label, description: z.optional(z.string().check(z.maxLength(MAX_DESCRIPTION_CHARS))) })).check(
      z.maxLength(MAX_OPTIONS),
      z.refine((options) => new Set(options.map(({ label }) => label.trim())).size === options.length, { error: "two options have the same label" }),
    ),
  ),
  multiple: z.optional(z.boolean()),
  freeText: z.optional(z.boolean()),
}) satisfies z.ZodMiniType<PersonQuestion>;
const Answer = z.object({ chosen: z.array(z.string()), text: z.optional(z.string()) });

/** @param lock Lets one question through at a time, permission prompts among them. */
export function createPersons(person: Person | undefined, lock: Lock): Persons {
  const asked = new WeakMap<Asking, number>();
  const isThere = () => {
    try {
      return person !== undefined && (person.isThere?.() ?? true) === true;
    } catch {
      return false;
    }
  };

  return {
    isThere,
    async ask(plugin, call, given) {
      const parsed = Question.safeParse(given);
      if (!parsed.success) throw wrong(parsed.error.issues[0], plugin);
      const { question, options = [], multiple = false, freeText = true } = parsed.data;
      if (options.length === 0 && !freeText) throw wrong({ path: ["options"], message: "there is nothing to answer with" }, plugin);
      if (person === undefined || !isThere()) throw new MortiseError("nobody_there", { plugin });
      const before = asked.get(call) ?? 0;
      if (before >= MAX_PER_CALL) throw new MortiseError("too_many_requests", { seen: `${MAX_PER_CALL} questions in one call`, plugin });
      asked.set(call, before + 1);

      const { signal } = call.deadline;
      const resume = call.deadline.pause();
      try {
        const release = await lock(signal);
        if (release === undefined) throw signal.reason;
        const request: PersonRequest = {
          plugin,
          tool: call.tool.name,
          question,
          options: options.map(({ label, description }) => ({ label, ...(description === undefined ? {} : { description }) })),
          multiple,
          freeText,
          signal,
        };
        const said = Promise.resolve()
          .then(() => person.ask(request))
          .catch(() => undefined);
        // One that was cancelled may still be on the screen.
        void Promise.race([said, aborted(signal).then(() => delay(GONE_MS, undefined, { ref: false }))]).finally(release);
        const answer = await Promise.race([said, aborted(signal)]);
        if (signal.aborted) throw signal.reason;
        return answerOf(request, answer);
      } finally {
        resume();
      }
    },
  };
}

/** What is no clear answer to the question is none. */
function answerOf({ options, multiple, freeText }: PersonRequest, said: unknown): PersonAnswer | undefined {
  const parsed = Answer.safeParse(said);
  if (!parsed.success) return undefined;
  const chosen = [...new Set(parsed.data.chosen)];
  const text = parsed.data.text?.trim().slice(0, MAX_ANSWER_CHARS).toWellFormed() ?? "";
  const strange = chosen.some((label) => !options.some((option) => option.label === label));
  if (strange || (!multiple && chosen.length > 1) || (!freeText && text !== "")) return undefined;
  return { chosen, ...(text === "" ? {} : { text }) };
}

function wrong(issue: { path: PropertyKey[]; message: string } | undefined, plugin: string): MortiseError {
  const place = issue === undefined || issue.path.length === 0 ? "question" : issue.path.join(".");
  return new MortiseError("wrong_argument", { seen: `person.ask, ${place}: ${issue?.message ?? "not valid"}`, plugin });
}
