import { cut, entryText, isRanged, range, wrapped } from "./entry-text.ts";
import { importLines } from "./imports.ts";
import { type Item, type Language, sections } from "./language.ts";

const MOST_FIELDS = 8;
const LONGEST_ATTR = 120;

/** The lines of an outline, by sections. */
export function outline(items: readonly Item[], language: Language): string[] {
  // A method whose class is too broken to be one is a function.
  const groups = Map.groupBy(language.shape?.(items) ?? items, ({ kind }): Item["kind"] => (kind === "method" ? "fns" : kind));
  const of = (kind: Item["kind"]) => groups.get(kind) ?? [];
  const blocks = [
    moduleDoc(of("module")),
    headed("imports", of("import"), importLines(of("import"), language)),
    ...sections.map((section) => block(section, of(section), language)),
    tests(of("test"), language),
  ];
  return blocks.filter((lines) => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

function moduleDoc(items: readonly Item[]): string[] {
  const [first, last] = [items[0], items.at(-1)];
  return first === undefined || last === undefined ? [] : [`module doc: ${range(first.startRow, last.endRow)}`];
}

function block(section: (typeof sections)[number], items: readonly Item[], language: Language): string[] {
  if (section === "mod") {
    const plain = items.filter(({ children }) => children.length === 0).map((item) => entryText(item, language, false));
    const rest = items.filter(({ children }) => children.length > 0);
    return headed("mod", items, [
      ...wrapped(
        [...new Set(plain)].filter((name) => name !== ""),
        "  ",
      ),
      ...rest.flatMap((item) => entry(item, language, "  ")),
    ]);
  }
  const lines = items.flatMap((item) => entry(item, language, "  "));
  return section === "exports" ? headed(section, items, lines) : lines.length === 0 ? [] : [`${section}:`, ...lines];
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

function entry(item: Item, language: Language, indent: string): string[] {
  const text = entryText(item, language, indent.length > 2);
  return [
    ...item.attrs.map((attr) => indent + cut(attr.replace(/\s+/g, " ").trim(), LONGEST_ATTR)),
    isRanged(item) ? `${indent}${text} ${range(item.startRow, item.endRow)}` : indent + text,
    ...children(item.children, language, `${indent}  `),
  ];
}

/** In the order of the text: lists of names together, and of fields the first few. */
function children(items: readonly Item[], language: Language, indent: string): string[] {
  if (items.length === 0) return [];
  const names = items.filter(({ kind }) => kind === "brief").map((item) => entryText(item, language, true));
  const fields = items.filter(({ kind }) => kind === "field").length;
  const lines = wrapped(names, indent);
  let seen = 0;
  for (const item of items) {
    if (item.kind === "brief") continue;
    if (item.kind === "field" && ++seen > MOST_FIELDS) {
      if (seen === MOST_FIELDS + 1) lines.push(`${indent}[${fields - MOST_FIELDS} more truncated]`);
      continue;
    }
    lines.push(...entry(item, language, indent));
  }
  return lines;
}
