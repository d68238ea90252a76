import { applyEdits, createScanner, findNodeAtLocation, modify, type Node, parseTree } from "jsonc-parser";

/** Adds items at the end of a top-level list of JSON with comments, each on a line of its own. Every other character stays, so comments stay with what they are about. */
export function appendItems(text: string, key: string, items: readonly unknown[]): string {
  if (items.length === 0) return text;
  const list = listAt(text, key);
  if (list === undefined) {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const edits = modify(text, [key], [], { formattingOptions: { insertSpaces: true, tabSize: 2, eol } });
    return appendItems(applyEdits(text, edits), key, items);
  }
  const last = list.children?.at(-1);
  const close = list.offset + list.length - 1;
  const head = text.slice(0, close).trimEnd();
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const start = `${eol}${indentOf(text, list, last)}`;
  const lines = items.map((item) => start + oneLine(item)).join(",");
  const tail = text.slice(head.length, close);
  const before = last === undefined || hasCommaAfter(text, last) ? head : withComma(head, last);
  return `${before}${lines}${tail.includes("\n") ? tail : `${eol}${lineIndent(text, list.offset)}`}${text.slice(close)}`;
}

/** Removes an item of a top-level list. */
export function removeItem(text: string, key: string, item: string): string {
  const index = (listAt(text, key)?.children ?? []).findIndex((node) => node.value === item);
  return index === -1 ? text : applyEdits(text, modify(text, [key, index], undefined, {}));
}

function listAt(text: string, key: string): Node | undefined {
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, [key]);
  return node?.type === "array" ? node : undefined;
}

function hasCommaAfter(text: string, node: Node): boolean {
  const scanner = createScanner(text, true);
  scanner.setPosition(node.offset + node.length);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ",";
}

function withComma(head: string, last: Node): string {
  const end = last.offset + last.length;
  return `${head.slice(0, end)},${head.slice(end)}`;
}

/** The indent of the last item where it begins its line, else one step more than the list's own line. */
function indentOf(text: string, list: Node, last: Node | undefined): string {
  if (last !== undefined) {
    const lead = text.slice(text.lastIndexOf("\n", last.offset) + 1, last.offset);
    if (lead.trim() === "" && text.slice(list.offset, last.offset).includes("\n")) return lead;
  }
  return `${lineIndent(text, list.offset)}  `;
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function oneLine(item: unknown): string {
  if (typeof item !== "object" || item === null) return JSON.stringify(item);
  const parts = Object.entries(item).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{ ${parts.join(", ")} }`;
}
