import type { QueryCapture } from "web-tree-sitter";
import { deadlineAfter, type LoadedParser } from "./parser.ts";
import { createRows } from "./rows.ts";

export type QueryRequest = {
  id: number;
  kind: "query";
  language: string;
  text: string;
  query: string;
  maxCaptures: number;
  texts: { max: number; until: string | null; without: readonly string[] };
  /** Processor time for the parse and the captures, each. In milliseconds. */
  budgetMs: number;
};

/** Text of captures beyond this many characters is left out. */
const MAX_CHARS = 4_000_000;

/**
 * Runs a query over text. The captures are one string, which nobody reads on the way to the plugin.
 * Throws where the query is none or the deadline passed.
 */
export function runQuery({ parse, query }: LoadedParser, request: QueryRequest): { captures: string; truncated: boolean; hasError: boolean } {
  const { text, budgetMs } = request;
  const compiled = query(request.query);
  const tree = parse(text, deadlineAfter(budgetMs));
  if (tree === undefined) throw new Error("The text takes too long to parse");
  try {
    const deadline = deadlineAfter(budgetMs);
    const found = compiled.captures(tree.rootNode, { progressCallback: () => deadline.passed() });
    const { captures, truncated } = packed(found, request);
    return { captures, truncated: truncated || deadline.passed(), hasError: tree.rootNode.hasError };
  } finally {
    tree.delete();
  }
}

/**
 * `places` holds seven numbers a capture: which name, which type of node, where it starts and ends, its first and last row, and the column it starts in.
 * The last row is that of the last character that is no space.
 */
function packed(found: readonly QueryCapture[], { text, maxCaptures, texts: { max, until, without } }: QueryRequest) {
  const names = numbering();
  const types = numbering();
  const places: number[] = [];
  const texts: string[] = [];
  const rows = createRows(text);
  const nodes = found
    .filter(({ name }) => !name.startsWith("_"))
    .map(({ name, node }) => ({ name, type: node.type, start: node.startIndex, end: node.endIndex }));
  let chars = 0;
  let count = 0;
  for (const [at, { name, type, start, end }] of nodes.entries()) {
    if (count === maxCaptures || chars > MAX_CHARS) break;
    count++;
    const row = rows.row(start);
    places.push(names.of(name), types.of(type), start, end, row, rows.row(lastCharacter(text, start, end)), start - rows.startOf(row));
    if (without.includes(name)) {
      texts.push("");
      continue;
    }
    const stop = until === null || name === until ? end : firstInside(nodes, at, until, end);
    const shown = text.slice(start, Math.min(stop, start + max));
    chars += shown.length;
    texts.push(shown);
  }
  return { captures: JSON.stringify({ names: names.all(), types: types.all(), places, texts }), truncated: count < nodes.length };
}

function numbering() {
  const numbers = new Map<string, number>();
  return {
    of(name: string): number {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      numbers.set(name, numbers.size);
      return numbers.size - 1;
    },
    all: () => [...numbers.keys()],
  };
}

type Place = { name: string; start: number; end: number };

/** Where the first capture of a name begins that lies in another one. */
function firstInside(nodes: readonly Place[], at: number, name: string, end: number): number {
  for (let next = at + 1; next < nodes.length && nodes[next]!.start < end; next++) if (nodes[next]!.name === name) return nodes[next]!.start;
  return end;
}

function lastCharacter(text: string, start: number, end: number): number {
  let last = end - 1;
  while (last > start && text.charCodeAt(last) <= 32) last--;
  return Math.max(last, start);
}
