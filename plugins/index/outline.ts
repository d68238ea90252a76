import { cut, entryText, folded, isRanged, range, wrapped } from "./entry-text.ts";
import { importLines } from "./imports.ts";
import { type Item, type Language, sections } from "./language.ts";

const MOST_FIELDS = 8;
const LONGEST_ATTR = 120;

/** The lines of an outline, by sections. */
export function outline(items: readonly Item[], language: Language): string[] {
  // A method whose class is too broken to be one is a function.
  const groups = Map.groupBy(language.shape?.(items) ?? items, ({ kind }): Item["kind"] => (kind === "method" ? "fns" : kind));
  const of = (kind: Item["kind"]) => groups.get(kind) ?? [];
  return joined([
    moduleDoc(of("module")),
    headed("imports", of("import"), importLines(of("import"), language)),
    ...sections.filter((section) => groups.has(section)).map((section) => block(section, of(section), language)),
    tests(of("test"), language),
  ]);
}

/** Those that have lines, with an empty line between. */
export function joined(blocks: readonly (readonly string[])[]): string[] {
  const lines: string[] = [];
  for (const block of blocks) {
    if (block.length === 0) continue;
    if (lines.length > 0) lines.push("");
    for (const line of block) lines.push(line);
  }
  return lines;
}

function moduleDoc(items: readonly Item[]): string[] {
  const [first, last] = [items[0], items.at(-1)];
  return first === undefined || last === undefined ? [] : [`module doc: ${range(first.startRow, last.endRow)}`];
}

function block(section: (typeof sections)[number], items: readonly Item[], language: Language): string[] {
  if (section === "mod") {
    const plain = items.filter(({ children }) => children.length === 0).map((item) => entryText(item, language, false));
    const lines = wrapped(
      [...new Set(plain)].filter((name) => name !== ""),
      "  ",
    );
    for (const item of items) if (item.children.length > 0) addEntry(lines, item, language, "  ");
    return headed("mod", items, lines);
  }
  const lines: string[] = [];
  for (const item of items) addEntry(lines, item, language, "  ");
  return section === "exports" ? headed(section, items, lines) : [`${section}:`, ...lines];
}

/** Tests by their names, with the lines that they begin in. */
function tests(items: readonly Item[], language: Language): string[] {
  const names = items.flatMap((item) => (item.children.length === 0 ? [item] : item.children)).map((item) => entryText(item, language, false));
  const [first, last] = [items[0], items.at(-1)];
  return first === undefined || last === undefined
    ? []
    : [
        `tests: ${range(first.startRow, last.startRow)}`,
        ...wrapped(
          names.filter((name) => name !== ""),
          "  ",
        ),
      ];
}

function headed(title: string, items: readonly Item[], lines: readonly string[]): string[] {
  const [first, last] = [items[0], items.at(-1)];
  return first === undefined || last === undefined ? [] : [`${title}: ${range(first.startRow, last.endRow)}`, ...lines];
}

function addEntry(lines: string[], item: Item, language: Language, indent: string): void {
  const text = entryText(item, language, indent.length > 2);
  for (const attr of item.attrs) lines.push(indent + cut(folded(attr).trim(), LONGEST_ATTR));
  lines.push(isRanged(item) ? `${indent}${text} ${range(item.startRow, item.endRow)}` : indent + text);
  addChildren(lines, item.children, language, `${indent}  `);
}

/** In the order of the text: lists of names together, and of fields the first few. */
function addChildren(lines: string[], items: readonly Item[], language: Language, indent: string): void {
  if (items.length === 0) return;
  const names = items.filter(({ kind }) => kind === "brief").map((item) => entryText(item, language, true));
  for (const line of wrapped(names, indent)) lines.push(line);
  const fields = items.filter(({ kind }) => kind === "field").length;
  let seen = 0;
  for (const item of items) {
    if (item.kind === "brief") continue;
    if (item.kind === "field" && ++seen > MOST_FIELDS) {
      if (seen === MOST_FIELDS + 1) lines.push(`${indent}[${fields - MOST_FIELDS} more truncated]`);
      continue;
    }
    addEntry(lines, item, language, indent);
  }
}
