import { entryText, folded } from "./entry-text.ts";
import type { Import, Item, Language } from "./language.ts";

type Node = { itself: boolean; below?: Map<string, Node> };

const MOST_PARTS = 32;

/** Import statements as they read, or as one tree of paths for each keyword. */
export function importLines(items: readonly Item[], language: Language): string[] {
  const { imports } = language;
  if (imports === undefined) return [...new Set(items.map((item) => `  ${entryText(item, language, false)}`))];
  const trees = new Map<string, Node>();
  for (const item of items) {
    for (const { keyword = "", path } of imports.read(folded(item.text).trim())) add(trees, keyword, path);
  }
  return [...trees].flatMap(([keyword, tree]) => printed(tree, imports.separator).map((text) => `  ${keyword === "" ? "" : `${keyword}: `}${text}`));
}

function add(trees: Map<string, Node>, keyword: string, path: Import["path"]): void {
  let node = below(trees, keyword);
  for (let at = 0; at < path.length && at < MOST_PARTS; at++) {
    node.below ??= new Map();
    node = below(node.below, path[at]!);
  }
  node.itself = true;
}

function below(nodes: Map<string, Node>, name: string): Node {
  const known = nodes.get(name);
  if (known !== undefined) return known;
  const made: Node = { itself: false };
  nodes.set(name, made);
  return made;
}

/** Several children of one are in braces; one that is imported itself stands for itself first. */
function printed({ below }: Node, separator: string): string[] {
  const lines: string[] = [];
  if (below === undefined) return lines;
  for (const name of [...below.keys()].sort()) {
    const node = below.get(name)!;
    const inner = printed(node, separator);
    if (node.itself) {
      lines.push(name);
      for (const text of inner) lines.push(name + separator + text);
    } else if (inner.length > 0) lines.push(inner.length === 1 ? name + separator + inner[0] : `${name}${separator}{${inner.join(", ")}}`);
  }
  return lines;
}
