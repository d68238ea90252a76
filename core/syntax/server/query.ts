import type { QueryCapture, Tree } from "web-tree-sitter";
import { deadlineAfter, type LoadedParser } from "./parser.ts";
import { createRows } from "./rows.ts";

export type QueryRequest = {
  id: number;
  kind: "query";
  language: string;
  text: string;
  query: string;
  /** What matches is read as blanks. */
  mask: string | null;
  /** What matches is read as blanks where the text has errors otherwise. */
  mend: string | null;
  /** How deep in the tree a pattern may begin. */
  depth: number | null;
  maxCaptures: number;
  texts: { max: number; until: string | null; without: readonly string[] };
  /** Processor time for the parse and the captures, each. In milliseconds. */
  budgetMs: number;
};

/** Characters that are wrong before a text is parsed a second time. */
const WORTH_MENDING = 40;
/** Text of captures beyond this many characters is left out. */
const MAX_CHARS = 4_000_000;

/**
 * Runs a query over text. The captures are one string, which nobody reads on the way to the plugin.
 * Throws where the query is none or the deadline passed.
 */
export function runQuery(
  { parse, query }: LoadedParser,
  request: QueryRequest,
): { captures: string; truncated: boolean; hasError: boolean; wrong: number } {
  const { budgetMs } = request;
  const compiled = query(request.query);
  const tree = parseMended(parse, request);
  try {
    const deadline = deadlineAfter(budgetMs);
    const found = compiled.captures(tree.rootNode, {
      progressCallback: () => deadline.passed(),
      ...(request.depth === null ? {} : { maxStartDepth: request.depth }),
    });
    const { captures, truncated } = packed(found, request);
    return { captures, truncated: truncated || deadline.passed(), hasError: tree.rootNode.hasError, wrong: wrong(tree) };
  } finally {
    tree.delete();
  }
}

/** The tree of the text, or of the text without what the grammar does not know, where less of that is an error. */
function parseMended(parse: LoadedParser["parse"], { text: whole, mask, mend, budgetMs }: QueryRequest): Tree {
  const text = mask === null ? whole : blanked(whole, mask);
  const plain = parse(text, deadlineAfter(budgetMs));
  if (plain === undefined) throw new Error("The text takes too long to parse");
  if (mend === null || wrong(plain) < WORTH_MENDING) return plain;
  const mended = blanked(text, mend);
  const other = mended === text ? undefined : parse(mended, deadlineAfter(budgetMs));
  if (other === undefined) return plain;
  const better = wrong(other) < wrong(plain) ? other : plain;
  (better === plain ? other : plain).delete();
  return better;
}

/** Every place stays where it is. */
function blanked(text: string, pattern: string): string {
  return text.replace(new RegExp(pattern, "gm"), (match) => match.replace(/[^\n]/g, " "));
}

/** Characters that are no part of the language, as far as the parser can say. */
function wrong({ rootNode }: Tree): number {
  if (!rootNode.hasError) return 0;
  return rootNode.descendantsOfType("ERROR").reduce((sum, { startIndex, endIndex }) => sum + endIndex - startIndex, 1);
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
