import type { Image } from "../../sdk/api.ts";
import type { Message } from "../agent/message.ts";
import type { KeptImages } from "./kept-images.ts";
import type { Header, LogRecord } from "./records.ts";
import { type SessionState, withNote } from "./session-state.ts";

export function lineOf(record: LogRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** A log that says what a session is now, and no more how it came to be. */
export function linesOf(state: SessionState, at: string, images: KeptImages): string {
  const { title, model, context, rules, queued, ended } = state;
  const records: LogRecord[] = [state.header, { t: "meta", at, title, model, rules, queued, context: context ?? undefined }];
  for (const [of, { usage, costUsd }] of state.usage) records.push({ t: "usage", at, model: of, usage, costUsd });
  records.push(...state.permissions);
  for (const message of state.messages) records.push(...recordsOf(message, at, images));
  if (ended !== null) records.push(ended);
  return records.map(lineOf).join("");
}

/** The same of a copy that begins under another header: what it cost is the first one's, and so is what was allowed there or waits there. */
export function copiedLines(state: SessionState, header: Header, at: string, images: KeptImages): string {
  const rules = state.rules.filter(({ effect }) => effect !== "allow");
  return linesOf({ ...state, header, rules, queued: [], usage: new Map(), permissions: [] }, at, images);
}

/** A message as the log has it: the results of calls are records of their own. */
export function recordsOf(message: Message, at: string, images: KeptImages): LogRecord[] {
  switch (message.role) {
    case "assistant":
      return [{ t: "message", at, message }];
    case "user": {
      const { kept, left } = images.keep(message);
      return [{ t: "message", at, message: kept, left }];
    }
    case "tool":
      return message.results.map((result) => {
        const { kept, left } = images.keep(result);
        return { t: "result", at, result: kept, left };
      });
  }
}

/** A message for the middle of a log, where what is left out is said in its text. */
export function keptMessage(message: Message, images: KeptImages): Message {
  if (message.role === "assistant") return message;
  if (message.role === "tool") return { ...message, results: message.results.map(keep) };
  return keep(message);

  function keep<Shown extends { text: string; images?: readonly Image[] }>(shown: Shown): Shown {
    const { kept, left } = images.keep(shown);
    return withNote(kept, left);
  }
}
