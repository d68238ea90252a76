import type { Heredoc, Script } from "./ast.ts";

/** A place in bash text that is being read. */
export type Reader = {
  source: string;
  at: number;
  depth: number;
  /** Heredocs whose bodies begin behind the next newline. */
  pending: Heredoc[];
  doubts: string[];
  starts: number[];
  comments: number[];
  /** Escaped `$` and backquotes in the bodies of heredocs, which grammars take for expansions. */
  escapes: number[];
  /** Scripts that are open, so that what was read before an error is known. */
  scripts: Script[];
  /** Where a `time` stands that is about the next command. */
  timed: number | undefined;
  /** Where an attempt failed, which is not made again. */
  failed: Set<number>;
};

/** Deeper nesting is not read. */
const MAX_DEPTH = 120;

export function createReader(source: string, parent?: Reader): Reader {
  return {
    source,
    at: 0,
    depth: parent?.depth ?? 0,
    pending: [],
    doubts: parent?.doubts ?? [],
    starts: [],
    comments: [],
    escapes: [],
    scripts: [],
    timed: undefined,
    failed: new Set(),
  };
}

/** The character here, after line continuations; undefined at the end. */
export function peek(reader: Reader): string | undefined {
  reader.at = afterContinuations(reader, reader.at);
  return reader.source[reader.at];
}

/** The character behind the one here. */
export function peekNext(reader: Reader): string | undefined {
  peek(reader);
  return reader.source[afterContinuations(reader, reader.at + 1)];
}

/** Takes the text if it stands here. */
export function take(reader: Reader, text: string): boolean {
  const from = reader.at;
  for (const char of text) {
    if (peek(reader) !== char) {
      reader.at = from;
      return false;
    }
    reader.at++;
  }
  return true;
}

export function expect(reader: Reader, text: string): void {
  if (!take(reader, text)) fail(reader, `a missing ${text}`);
}

/** Bash would read no further. */
export function fail(reader: Reader, why = "a syntax error"): never {
  const near = reader.source.slice(reader.at, reader.at + 20).split("\n", 1)[0];
  throw new SyntaxError(near === "" ? `${why} at the end` : `${why} near ${near}`);
}

export function doubt(reader: Reader, why: string): void {
  if (reader.doubts.length < 8 && !reader.doubts.includes(why)) reader.doubts.push(why);
}

/** Reads something that may hold more of its kind. */
export function nested<T>(reader: Reader, read: () => T): T {
  if (++reader.depth > MAX_DEPTH) throw new SyntaxError("it is nested too deeply");
  const result = read();
  reader.depth--;
  return result;
}

/** Reads on from here, or takes everything back and answers undefined. One kind of attempt is made at one place. */
export function attempt<T>(reader: Reader, read: () => T): T | undefined {
  const { at, depth, pending } = reader;
  if (reader.failed.has(at)) return undefined;
  const lengths = [reader.doubts, reader.starts, reader.comments, reader.escapes, reader.scripts].map((list): [unknown[], number] => [
    list,
    list.length,
  ]);
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    reader.failed.add(at);
    Object.assign(reader, { at, depth, pending });
    for (const [list, length] of lengths) list.length = length;
    return undefined;
  }
}

function afterContinuations({ source }: Reader, from: number): number {
  let at = from;
  while (source.charCodeAt(at) === BACKSLASH && source.charCodeAt(at + 1) === NEWLINE) at += 2;
  return at;
}

const BACKSLASH = 92;
const NEWLINE = 10;

/** Ends a word where no quote stands before it. */
export function isBreak(char: string | undefined): boolean {
  return char === undefined || " \t\n;&|()<>".includes(char);
}
