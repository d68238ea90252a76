import { Edit, type QueryCapture, type Tree } from "web-tree-sitter";
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
  const { tree, wrong } = parseMended(parse, request);
  // Nobody waits for that.
  setImmediate(() => tree.delete());
  const deadline = deadlineAfter(budgetMs);
  const found = compiled.captures(tree.rootNode, {
    progressCallback: () => deadline.passed(),
    ...(request.depth === null ? {} : { maxStartDepth: request.depth }),
  });
  const { captures, truncated } = packed(found, request);
  return { captures, truncated: truncated || deadline.passed(), hasError: wrong > 0, wrong };
}

/** The tree of the text, or of the text without what the grammar does not know, where less of that is an error. Throws where the deadline passed. */
export function parseMended(
  parse: LoadedParser["parse"],
  { text: whole, mask, mend, budgetMs }: Pick<QueryRequest, "text" | "mask" | "mend" | "budgetMs">,
): Parsed {
  const text = mask === null ? whole : blanked(whole, mask);
  const plain = parsed(parse, text, budgetMs);
  if (plain === undefined) throw new Error("The text takes too long to parse");
  if (mend === null || plain.wrong < WORTH_MENDING) return plain;
  const mended = blanked(text, mend);
  const other = mended === text ? undefined : parsedAgain(parse, plain.tree, text, mended, budgetMs);
  if (other === undefined) return plain;
  const better = other.wrong < plain.wrong ? other : plain;
  (better === plain ? other : plain).tree.delete();
  return better;
}

type Parsed = { tree: Tree; wrong: number };

function parsed(parse: LoadedParser["parse"], text: string, budgetMs: number, before?: Tree): Parsed | undefined {
  const tree = parse(text, deadlineAfter(budgetMs), before);
  return tree === undefined ? undefined : { tree, wrong: wrongIn(tree) };
}

/** Parses a text of which some is read as blanks now; what that does not touch is taken from the tree. */
function parsedAgain(parse: LoadedParser["parse"], tree: Tree, text: string, blanks: string, budgetMs: number): Parsed | undefined {
  const before = tree.copy();
  try {
    for (const edit of edits(text, blanks)) before.edit(edit);
    return parsed(parse, blanks, budgetMs, before);
  } finally {
    before.delete();
  }
}

/** The lines that differ, of texts that have the same lengths of lines. */
function edits(text: string, blanks: string): Edit[] {
  const after = blanks.split("\n");
  let start = 0;
  return text.split("\n").flatMap((line, row) => {
    const [startIndex, endIndex] = [start, start + line.length];
    start = endIndex + 1;
    if (line === after[row]) return [];
    const startPosition = { row, column: 0 };
    const endPosition = { row, column: line.length };
    return [
      new Edit({ startIndex, startPosition, oldEndIndex: endIndex, oldEndPosition: endPosition, newEndIndex: endIndex, newEndPosition: endPosition }),
    ];
  });
}

/** Every place stays where it is. */
function blanked(text: string, pattern: string): string {
  return text.replace(new RegExp(pattern, "gm"), (match) => match.replace(/[^\n]/g, " "));
}

/** Characters that are no part of the language, as far as the parser can say. */
function wrongIn({ rootNode }: Tree): number {
  if (!rootNode.hasError) return 0;
  let sum = 1;
  // Most of a tree has no error in it, and nobody goes there.
  const within = [rootNode];
  for (let node = within.pop(); node !== undefined; node = within.pop()) {
    if (node.isError) sum += node.endIndex - node.startIndex;
    for (const child of node.children) if (child.hasError) within.push(child);
  }
  return sum;
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
  const untold = new Set(without);
  let chars = 0;
  let count = 0;
  let truncated = false;
  for (const [at, { name, node }] of found.entries()) {
    if (name.startsWith("_")) continue;
    if (count === maxCaptures || chars > MAX_CHARS) {
      truncated = true;
      break;
    }
    count++;
    const { startIndex: start, endIndex: end, startPosition: from } = node;
    places.push(names.of(name), types.of(node.type), start, end, from.row, rows.row(lastCharacter(text, start, end)), from.column);
    if (untold.has(name)) texts.push("");
    else {
      const stop = until === null || name === until ? end : firstInside(found, at, until, end);
      const taken = text.slice(start, Math.min(stop, start + max));
      chars += taken.length;
      texts.push(taken);
    }
  }
  return { captures: JSON.stringify({ names: names.all(), types: types.all(), places, texts }), truncated };
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

/** Where the first capture of a name begins that lies in another one. */
function firstInside(found: readonly QueryCapture[], at: number, name: string, end: number): number {
  for (let next = at + 1; next < found.length; next++) {
    const { name: other, node } = found[next]!;
    if (node.startIndex >= end) break;
    if (other === name) return node.startIndex;
  }
  return end;
}

function lastCharacter(text: string, start: number, end: number): number {
  let last = end - 1;
  while (last > start && text.charCodeAt(last) <= 32) last--;
  return Math.max(last, start);
}
