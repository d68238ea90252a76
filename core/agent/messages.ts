import { titleOf } from "../session/title.ts";
import type { RunContext, Said } from "./agent-state.ts";
import type { UserInput } from "./backend.ts";
import type { Message } from "./message.ts";
import { type Note, notes } from "./notes.ts";
import type { MessageSource } from "./session-event.ts";
import { hearMessage } from "./slots.ts";
import { tellTitle } from "./told.ts";

type UserMessage = Extract<Message, { role: "user" }>;

/** Takes what a run begins with: what is in the mailbox, then the message, whose text it answers. Undefined where it was dropped, and there is nothing to do. */
export async function takeInput(run: RunContext, input: UserInput): Promise<string | undefined> {
  const isEmpty = input.text.trim() === "" && (input.images ?? []).length === 0;
  const heard = isEmpty ? undefined : await hear(run, input, undefined);
  // A run that only wakes has to have something to look at.
  if (!isEmpty && heard === undefined) return undefined;
  const observed = await takeMail(run);
  if (heard !== undefined) await land(run, heard, input.source);
  if (heard === undefined && observed === 0) {
    run.emit({ type: "message_dropped", reason: "The message is empty.", plugin: null });
    return undefined;
  }
  return heard?.text ?? "";
}

/** Takes all that was said or reported since; true where something new is there to be answered. */
export async function takeSaid(run: RunContext): Promise<boolean> {
  const { said } = run.agent;
  let came = (await takeMail(run)) > 0;
  for (let next = said.shift(); next !== undefined; next = said.shift()) {
    const isHeard = await takeOne(run, next);
    came ||= isHeard;
  }
  return came;
}

/** What the host itself says. */
export async function addNote(run: RunContext, note: Note, text: string = notes[note]): Promise<void> {
  await addMessage(run, { role: "user", text, note });
}

export async function addMessage(run: RunContext, message: Exclude<Message, { role: "tool" }>): Promise<void> {
  const { history, gauge, journal } = run.agent;
  run.added = true;
  history.add(message);
  gauge.appended(message);
  await run.keep(journal.append(message));
}

async function takeOne(run: RunContext, said: Said): Promise<boolean> {
  let heard: UserMessage | undefined;
  try {
    heard = await hear(run, said.input, "meanwhile");
  } catch (error) {
    said.tell("not_delivered");
    throw error;
  }
  if (heard === undefined) {
    said.tell("not_delivered");
    return false;
  }
  await land(run, heard, said.input.source);
  run.sent.push(said);
  run.stopContinuations = 0;
  run.repeats.reset();
  return true;
}

/** A message as layers leave it; undefined where they dropped it. */
async function hear(run: RunContext, input: UserInput, note: string | undefined): Promise<UserMessage | undefined> {
  const { images = [] } = input;
  const heard = await hearMessage(run, input);
  if ("dropped" in heard) {
    run.emit({ type: "message_dropped", reason: heard.dropped, plugin: heard.plugin });
    return undefined;
  }
  const rewrittenBy = heard.rewrittenBy.length === 0 ? null : heard.rewrittenBy.join(", ");
  return {
    role: "user",
    text: heard.text,
    ...(images.length === 0 ? {} : { images }),
    ...(note === undefined ? {} : { note }),
    ...(rewrittenBy === null ? {} : { rewrittenBy }),
  };
}

/** Shown once it is kept. */
async function land(run: RunContext, message: UserMessage, source: MessageSource): Promise<void> {
  await addMessage(run, message);
  const { text, images = [], rewrittenBy = null } = message;
  run.emit({ type: "user_message", text, images: images.length, source, rewrittenBy });
  if (run.agent.history.messages.length === 1) tellTitle(run, titleOf(text));
}

async function takeMail(run: RunContext): Promise<number> {
  const mails = run.agent.mailbox.drain();
  run.sent.push(...mails);
  for (const { text } of mails) await land(run, { role: "user", text, note: "mailbox" }, "mailbox");
  return mails.length;
}
