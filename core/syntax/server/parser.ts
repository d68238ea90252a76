import { Language, type Tree as Parsed, Parser, Query } from "web-tree-sitter";

export type Grammars = {
  /** The parser of a language, whose grammar is loaded on first use. */
  parser(language: string): Promise<LoadedParser>;
};

export type LoadedParser = {
  /** Undefined where the deadline passed first. `before` is the edited tree of what the text was: much of it stays. The caller deletes the trees. */
  parse(text: string, deadline: Deadline, before?: Parsed): Parsed | undefined;
  /** Compiled queries are kept, the newest first. Throws what the grammar says of a query that is none. */
  query(source: string): Query;
};

/** Loads the wasm runtime, and from a folder the grammars that are asked for. */
export async function createGrammars(folder: string): Promise<Grammars> {
  await Parser.init();
  const loaded = new Map<string, Promise<LoadedParser>>();
  return {
    parser(language) {
      const known = loaded.get(language);
      if (known !== undefined) return known;
      const made = Language.load(`${folder}/${language}.wasm`).then(createParser);
      loaded.set(language, made);
      return made;
    },
  };
}

function createParser(language: Language): LoadedParser {
  const parser = new Parser();
  parser.setLanguage(language);
  const queries = new Map<string, Query>();
  return {
    parse(text, deadline, before) {
      const tree = parser.parse(text, before ?? null, { progressCallback: () => deadline.passed() });
      if (tree !== null) return tree;
      parser.reset();
      return undefined;
    },
    query(source) {
      const known = queries.get(source);
      if (known !== undefined) {
        queries.delete(source);
        queries.set(source, known);
        return known;
      }
      const made = new Query(language, source);
      queries.set(source, made);
      for (const [oldest, old] of queries) {
        if (queries.size <= MAX_QUERIES) break;
        queries.delete(oldest);
        old.delete();
      }
      return made;
    },
  };
}

const MAX_QUERIES = 32;

export type Deadline = { passed(): boolean };

/**
 * A budget of processor time, since a busy machine must not make a short text unparseable. In milliseconds.
 * It is asked thousands of times a second, and only the clock is cheap to look at.
 */
export function deadlineAfter(ms: number): Deadline {
  const start = process.threadCpuUsage();
  let next = performance.now() + ms;
  return {
    passed() {
      if (performance.now() < next) return false;
      const { user, system } = process.threadCpuUsage(start);
      const left = ms - (user + system) / 1_000;
      next = performance.now() + left;
      return left < 0;
    },
  };
}
