import { Language, type Tree as Parsed, Parser, Query } from "web-tree-sitter";

/** Loads the wasm runtime and the grammars, and parses with a deadline. */
export async function loadParser(grammars: string) {
  await Parser.init();
  const language = await Language.load(`${grammars}/bash.wasm`);
  const parser = new Parser();
  parser.setLanguage(language);
  const queries = new Map<string, Query>();

  /** Undefined where the deadline passed first. The caller deletes the tree. */
  function parse(text: string, deadline: Deadline): Parsed | undefined {
    const tree = parser.parse(text, null, { progressCallback: () => deadline.passed() });
    if (tree !== null) return tree;
    parser.reset();
    return undefined;
  }

  /** Compiled queries are kept, the newest first. Throws what the grammar says of a query that is none. */
  function query(source: string): Query {
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
  }

  return { parse, query };
}

export type LoadedParser = Awaited<ReturnType<typeof loadParser>>;

const MAX_QUERIES = 32;

export type Deadline = { passed(): boolean };

/** A budget of processor time, since a busy machine must not make a short text unparseable. In milliseconds. */
export function deadlineAfter(ms: number): Deadline {
  const start = process.cpuUsage();
  return {
    passed() {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000 > ms;
    },
  };
}
