/** A word after quote removal. */
export type Word = {
  /** Expansions are as they are written. */
  text: string;
  /** The text is the word. */
  static: boolean;
  /** It begins with an unquoted `~`. */
  tilde?: true;
  /** What bash makes of it where that is known but not the text: one of these, or all of them where `spread`. */
  values?: string[];
  spread?: true;
  /** What a word that is not known begins with. */
  lead?: string;
  /** What is not known of it stays in the folder that `lead` names. */
  contained?: true;
  /** It may become any number of words. */
  many?: true;
  /** As it is written. */
  source: string;
};

export function literal(text: string, source = text): Word {
  return { text, static: true, source };
}

/** All that the word may be, or undefined. */
export function valuesOf(word: Word): readonly string[] | undefined {
  return word.values ?? (word.static ? [word.text] : undefined);
}

/** The one text that the word is, or undefined. */
export function onlyValue(word: Word | undefined): string | undefined {
  const values = word === undefined ? undefined : valuesOf(word);
  return values?.length === 1 && !word?.spread ? values[0] : undefined;
}

/** The word without what stands before `from`. */
export function wordFrom(word: Word, from: number): Word {
  const { values, lead, tilde: _tilde, ...rest } = word;
  return {
    ...rest,
    text: word.text.slice(from),
    source: word.source,
    ...(values === undefined ? {} : { values: values.map((value) => value.slice(from)) }),
    ...(lead === undefined ? {} : { lead: lead.slice(from) }),
  };
}

/** What certainly stands at the beginning of the word. */
export function leadOf(word: Word): string {
  return onlyValue(word) ?? (word.values === undefined ? (word.lead ?? "") : commonStart(word.values));
}

/** The words that bash makes of these, where it makes several of one. */
export function spread(words: readonly Word[]): Word[] {
  return words.flatMap((word) => (word.spread ? (word.values ?? []).map((value) => ({ ...literal(value), source: word.source })) : [word]));
}

/** The name a program is known by, wherever it lies. */
export function baseName(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1);
}

function commonStart(values: readonly string[]): string {
  const [first = "", ...others] = values;
  let end = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, end))) end--;
  return first.slice(0, end);
}
