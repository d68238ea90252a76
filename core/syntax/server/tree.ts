import type { Tree as Parsed } from "web-tree-sitter";

/** A node of the syntax tree as plain data, with anonymous ones. Positions count UTF-16 units. */
export type Tree = {
  type: string;
  named: boolean;
  missing: boolean;
  field: string | null;
  start: number;
  end: number;
  children: Tree[];
};

/** Deeper trees are not read: the walk over them recurses. */
const MAX_DEPTH = 400;

/** Copies a tree out of the wasm memory. Throws a RangeError where it is nested too deeply. */
export function copyTree(parsed: Parsed): Tree {
  const cursor = parsed.walk();
  try {
    const path: Tree[] = [];
    for (;;) {
      const node: Tree = {
        type: cursor.nodeType,
        named: cursor.nodeIsNamed,
        missing: cursor.nodeIsMissing,
        field: cursor.currentFieldName,
        start: cursor.startIndex,
        end: cursor.endIndex,
        children: [],
      };
      path.at(-1)?.children.push(node);
      if (cursor.gotoFirstChild()) {
        path.push(node);
        if (path.length > MAX_DEPTH) throw new RangeError("The text is nested too deeply");
        continue;
      }
      if (path.length === 0) return node;
      while (!cursor.gotoNextSibling()) {
        cursor.gotoParent();
        const parent = path.pop();
        if (path.length === 0 && parent !== undefined) return parent;
      }
    }
  } finally {
    cursor.delete();
  }
}
