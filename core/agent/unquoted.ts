import type { Message } from "./message.ts";
import type { Request } from "./request.ts";

const GONE = "[...]";
/** So many characters in a row that stand in a request are no chance. */
const WINDOW = 24;
const STRIDE = 8;
/** A text as short as this is words that stand anywhere. */
const LEAST_CHARS = 12;

/** What a provider says, without what it quotes of the request: errors are shown, logged and kept where a conversation is not. */
export function withoutQuotes(said: string, { instructions, messages }: Pick<Request, "instructions" | "messages">): string {
  const sources = [instructions, ...messages.flatMap(textsOf)].flatMap(forms);
  const isQuoted = new Uint8Array(said.length);
  const mark = (from: number, to: number) => isQuoted.fill(1, from, to);
  for (const source of sources) {
    if (source.length < LEAST_CHARS) continue;
    if (source.length < WINDOW + STRIDE) {
      for (let at = said.indexOf(source); at >= 0; at = said.indexOf(source, at + source.length)) mark(at, at + source.length);
      continue;
    }
    for (let at = 0; at + WINDOW <= said.length; at += STRIDE) {
      const found = source.indexOf(said.slice(at, at + WINDOW));
      if (found < 0) continue;
      let [from, to] = [at, at + WINDOW];
      while (from > 0 && found - (at - from) > 0 && said[from - 1] === source[found - (at - from) - 1]) from--;
      while (to < said.length && said[to] === source[found + (to - at)]) to++;
      mark(from, to);
    }
  }
  let left = "";
  for (let at = 0; at < said.length; at++) {
    if (isQuoted[at] === 0) left += said[at];
    else if (at === 0 || isQuoted[at - 1] === 0) left += GONE;
  }
  return left;
}

function textsOf(message: Message): string[] {
  switch (message.role) {
    case "user":
      return [message.text];
    case "tool":
      return message.results.map(({ text }) => text);
    case "assistant":
      return message.parts.map((part) => (part.type === "call" ? JSON.stringify(part.input ?? {}) : part.text));
  }
}

/** A text as it is, and as it stands in JSON. Blanks of an error were made one each. */
function forms(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const plain = text.replace(/\s+/g, " ").trim();
  return [...new Set([plain, escaped.replace(/\s+/g, " ").trim()])];
}
