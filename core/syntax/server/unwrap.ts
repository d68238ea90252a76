import type { Word } from "./command.ts";
import type { Wrapper } from "./wrappers.ts";

/** What a wrapper's words say: `inner` is the command it runs. */
export type Unwrapped = {
  inner: Word[];
  assignments: { name: string; value: Word }[];
  /** Values of options that are text for a shell. */
  texts: Word[];
  /** Not every option was understood. */
  unclear: boolean;
  /** It only describes or prints something. */
  idle: boolean;
};

/** Reads the wrapper's own options, assignments and operands off the words that follow its name. */
export function unwrap(words: readonly Word[], wrapper: Wrapper): Unwrapped {
  const found: Unwrapped = { inner: [], assignments: [], texts: [], unclear: wrapper.unclear === true, idle: false };
  let operands = wrapper.operands ?? 0;
  let options = true;
  let fill: string | undefined;
  let at = 0;
  while (at < words.length) {
    const word = words[at]!;
    if (options && word.static && word.text === "--") {
      options = false;
      at++;
    } else if (options && word.static && /^-./s.test(word.text)) {
      if (wrapper.idle?.includes(word.text)) return { ...found, idle: true };
      const option = optionOf(word.text, words[at + 1], wrapper);
      if (option.unclear) found.unclear = true;
      if (option.text !== undefined) found.texts.push(option.text);
      fill ??= option.fill;
      at += option.words;
    } else if (wrapper.assigns && /^[A-Za-z_]\w*=/.test(word.text)) {
      found.assignments.push(assignmentOf(word));
      options = false;
      at++;
    } else if (operands > 0) {
      operands--;
      if (!word.static) found.unclear = true;
      options = wrapper.text !== undefined;
      at++;
    } else break;
  }
  found.inner = words.slice(at);
  if (wrapper.fills !== undefined && found.inner.length > 0) found.inner = filled(found.inner, fill);
  return found;
}

/** Words of which a placeholder makes something else at run time. */
export function filled(words: readonly Word[], placeholder: string | undefined): Word[] {
  if (placeholder === undefined || placeholder === "") return [...words, { text: "{}", static: false, source: "{}" }];
  return words.map((word) => (word.text.includes(placeholder) ? { ...word, static: false } : word));
}

export function assignmentOf(word: Word): { name: string; value: Word } {
  const at = word.text.indexOf("=");
  return { name: word.text.slice(0, at), value: { text: word.text.slice(at + 1), static: word.static, source: word.source } };
}

type Option = { words: number; unclear?: true; text?: Word; fill?: string };

function optionOf(text: string, next: Word | undefined, wrapper: Wrapper): Option {
  if (text.startsWith("--")) return longOption(text, next, wrapper);
  if (wrapper.numbered && /^-\d+$/.test(text)) return { words: 1 };
  for (let at = 1; at < text.length; at++) {
    const letter = text[at]!;
    if (wrapper.flags?.includes(letter)) continue;
    const name = `-${letter}`;
    if (!wrapper.valued?.includes(letter) && !wrapper.text?.includes(name)) return { words: 1, unclear: true };
    const glued = text.slice(at + 1);
    return withValue(name, glued === "" ? next : { text: glued, static: true, source: glued }, glued === "" ? 2 : 1, wrapper);
  }
  return { words: 1 };
}

function longOption(text: string, next: Word | undefined, wrapper: Wrapper): Option {
  const at = text.indexOf("=");
  const name = at === -1 ? text : text.slice(0, at);
  const value = text.slice(at + 1);
  if (wrapper.longFlags?.includes(name)) return { words: 1 };
  if (!wrapper.longValued?.includes(name) && !wrapper.text?.includes(name)) return { words: 1, unclear: true };
  return at === -1 ? withValue(name, next, 2, wrapper) : withValue(name, { text: value, static: true, source: value }, 1, wrapper);
}

function withValue(name: string, value: Word | undefined, words: number, wrapper: Wrapper): Option {
  if (value === undefined) return { words, unclear: true };
  const option: Option = { words };
  // A value that may come apart into several words moves all that follow.
  if (!value.static) option.unclear = true;
  if (wrapper.text?.includes(name)) option.text = value;
  if (wrapper.fills?.includes(name)) option.fill = value.text;
  return option;
}
