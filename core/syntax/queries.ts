import { hash } from "node:crypto";
import { availableParallelism } from "node:os";
import { MortiseError } from "../../sdk/errors.ts";
import { QueryAnswer } from "./frames.ts";
import { grammars } from "./grammars.mjs";
import { createKept } from "./kept.ts";
import { createSyntaxProcess } from "./syntax-process.ts";

export type QueryRequest = {
  /** One of the table of grammars. */
  language: string;
  text: string;
  /** A hash of the text, where it is known. */
  hash?: string;
  query: string;
  /** A regular expression. What matches is read as blanks: what the grammar takes for something else, as macros. */
  mask?: string;
  /** The same where the text has errors otherwise. */
  mend?: string;
  /** How deep in the tree a pattern may begin. Less is faster. */
  depth?: number;
  maxCaptures?: number;
  texts?: TextsOfCaptures;
};

export type TextsOfCaptures = {
  /** Characters of one capture that are given. */
  max?: number;
  /** The text of a capture ends where the first capture of this name begins that lies in it. */
  until?: string;
  /** Captures of these names come without text. */
  without?: readonly string[];
};

export type QueryResult = {
  /** JSON: `names` and `types`, `places` of seven numbers a capture that point into both, and the `texts` of those that have one. */
  captures: string;
  truncated: boolean;
  hasError: boolean;
  /** Characters that are no part of the language, as far as the parser can say; 1 at least where there is an error. */
  wrong: number;
};

export type Queries = {
  /** Runs a tree-sitter query. What was asked before of the same text is remembered. Throws `syntax_failed`, or `wrong_argument` for a language without grammar. */
  query(request: QueryRequest): Promise<QueryResult>;
  /** Starts the process that most languages are parsed in, for queries that are about to come. */
  warm(): void;
  close(): Promise<void>;
};

const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const MAX_CAPTURES = 200_000;
/** Processor time for the parse and for the captures, the more of it the longer the text is; and the time after which the process is ended; in milliseconds. */
const BUDGET = { baseMs: 1_000, perMbMs: 1_500, limitFactor: 5 };
/** Characters of captures that are remembered. */
const KEPT_CHARS = 16 * 1024 * 1024;
const MOST_THREADS = 2;
/** Queries that have a number. */
const MOST_SOURCES = 256;

export function createQueries({ execPath }: { execPath?: string }): Queries {
  const options = { execPath, threads: Math.min(MOST_THREADS, availableParallelism()) };
  const processes = { query: createSyntaxProcess("query", options), tiers: createSyntaxProcess("tiers", options) };
  const kept = createKept<QueryResult>(KEPT_CHARS);
  const running = new Map<string, Promise<QueryResult>>();
  const sources = numbering(MOST_SOURCES);

  async function query({
    language,
    text,
    hash: digest,
    query: source,
    mask,
    mend,
    depth,
    maxCaptures = 1_000,
    texts = {},
  }: QueryRequest): Promise<QueryResult> {
    if (!Object.hasOwn(grammars, language))
      throw new MortiseError("wrong_argument", { seen: `language ${language}; there are ${Object.keys(grammars).join(", ")}` });
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_TEXT_BYTES)
      throw new MortiseError("syntax_failed", { seen: `the text has ${bytes} bytes, and at most ${MAX_TEXT_BYTES} are parsed` });
    const asked = {
      kind: "query",
      language,
      mask: mask ?? null,
      mend: mend ?? null,
      depth: depth ?? null,
      maxCaptures: Math.max(1, Math.min(MAX_CAPTURES, Math.trunc(maxCaptures))),
      texts: { max: texts.max ?? MAX_TEXT_BYTES, until: texts.until ?? null, without: texts.without ?? [] },
    };
    const key = JSON.stringify([sources.numberOf(source), asked, digest ?? hash("sha256", text, "base64")]);
    const known = kept.get(key) ?? running.get(key);
    if (known !== undefined) return known;
    const answer = parsed(key, { ...asked, query: source, text }, bytes).finally(() => running.delete(key));
    running.set(key, answer);
    return answer;
  }

  async function parsed(key: string, asked: { language: string; text: string; query: string }, bytes: number): Promise<QueryResult> {
    const budgetMs = BUDGET.baseMs + (bytes / 2 ** 20) * BUDGET.perMbMs;
    const reply = await processes[grammars[asked.language]?.tiers === true ? "tiers" : "query"].ask(
      { ...asked, budgetMs },
      2 * budgetMs * BUDGET.limitFactor,
    );
    if ("failed" in reply) throw new MortiseError("syntax_failed", { seen: reply.failed });
    const answer = QueryAnswer.safeParse(reply.frame);
    if (!answer.success) throw new MortiseError("syntax_failed", { seen: "the parser gave an answer that is none" });
    return kept.set(key, answer.data, answer.data.captures.length);
  }

  return {
    query,
    warm: processes.tiers.warm,
    close: async () => {
      await Promise.all([processes.query.close(), processes.tiers.close()]);
    },
  };
}

/** Queries are long and few: each has a number to be known by, which no other will have. */
function numbering(most: number): { numberOf(source: string): number } {
  const numbers = new Map<string, number>();
  let last = 0;
  return {
    numberOf(source) {
      const known = numbers.get(source);
      if (known !== undefined) return known;
      if (numbers.size === most) numbers.clear();
      numbers.set(source, ++last);
      return last;
    },
  };
}
