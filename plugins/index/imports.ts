import { entryText, folded } from "./entry-text.ts";
import type { Import, Item, Language } from "./language.ts";

type Node = { itself: boolean; below: Map<string, Node> };

const MOST_PARTS = 32;

/** Import statements as they read, or as one tree of paths for each keyword. */
export function importLines(items: readonly Item[], language: Language): string[] {
  const { imports } = language;
  if (imports === undefined) return [...new Set(items.map((item) => `  ${entryText(item, language, false)}`))];
  const trees = new Map<string, Node>();
  for (const item of items) {
    for (const { keyword = "", path } of imports.read(folded(item.text).trim())) add(trees, keyword, path);
  }
  return [...trees].flatMap(([keyword, tree]) =>
    [...printed(tree, imports.separator)].map((text) => `  ${keyword === "" ? "" : `${keyword}: `}${text}`),
  );
}

function add(trees: Map<string, Node>, keyword: string, path: Import["path"]): void {
  let node = trees.get(keyword) ?? empty();
  trees.set(keyword, node);
  for (const part of path.slice(0, MOST_PARTS)) {
    const next = node.below.get(part) ?? empty();
    node.below.set(part, next);
    node = next;
  }
  node.itself = true;
}

/** Several children of one are in braces; one that is imported itself stands for itself first. */
function printed({ below }: Node, separator: string): string[] {
  return [...below]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, node]) => {
      const inner = printed(node, separator);
      const itself = node.itself ? [name] : [];
      if (inner.length === 0) return itself;
      if (node.itself) return [...itself, ...inner.map((text) => name + separator + text)];
      return [inner.length === 1 ? name + separator + inner[0] : `${name}${separator}{${inner.join(", ")}}`];
    });
}

function empty(): Node {
  return { itself: false, below: new Map() };
}
