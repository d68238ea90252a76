import type { Deadline, LoadedParser } from "./parser.ts";

export type Captured = { name: string; type: string; start: number; end: number; startRow: number; endRow: number; text: string };

/** Text of captures beyond this many characters is left out. */
const MAX_CHARS = 1_000_000;

/** Runs a query over text. Throws where the query is none or the deadline passed. */
export function runQuery(
  { parse, query }: LoadedParser,
  request: { text: string; query: string; maxCaptures: number },
  deadline: Deadline,
): { captures: Captured[]; truncated: boolean; hasError: boolean } {
  const compiled = query(request.query);
  const tree = parse(request.text, deadline);
  if (tree === undefined) throw new Error("The text takes too long to parse");
  try {
    const found = compiled.captures(tree.rootNode, { progressCallback: () => deadline.passed() });
    const captures: Captured[] = [];
    let chars = 0;
    for (const { name, node } of found) {
      if (captures.length === request.maxCaptures || chars > MAX_CHARS) break;
      const text = request.text.slice(node.startIndex, node.endIndex);
      chars += text.length;
      captures.push({
        name,
        type: node.type,
        start: node.startIndex,
        end: node.endIndex,
        startRow: node.startPosition.row,
        endRow: node.endPosition.row,
        text,
      });
    }
    return { captures, truncated: captures.length < found.length || deadline.passed(), hasError: tree.rootNode.hasError };
  } finally {
    tree.delete();
  }
}
