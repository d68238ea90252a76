import type { Item, Language } from "./language.ts";

const LONGEST = { consts: 60, field: 80, others: 240 };
const CUT = "[truncated]";
const OPENING = "([";
const CLOSING = ")]";
const TRAILING = "{=:;,\\>";

/** How an item reads on its line. */
export function entryText({ kind, text, tail }: Pick<Item, "kind" | "text" | "tail">, language: Language, nested: boolean): string {
  const signature = trimmed(text.includes("\n") ? onOneLine(text) : folded(text));
  const whole = tail === undefined ? signature : `${signature} ${trimmed(folded(tail))}`;
  const strip = nested && kind !== "fns" ? (kind === "method" ? language.strip?.method : undefined) : language.strip?.[kind];
  const stripped = strip === undefined ? whole : whole.replace(strip, "").trim();
  const line = language.line?.(stripped, kind) ?? stripped;
  return cut(line, language.longest?.[kind] ?? (kind === "consts" ? LONGEST.consts : kind === "field" ? LONGEST.field : LONGEST.others));
}

/** With one space for all blanks that stand together. */
export function folded(text: string): string {
  return /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, " ") : text;
}

/** Parameters that stand in lines of their own, as they would read in one. */
function onOneLine(text: string): string {
  let line = "";
  let opens = true;
  for (const piece of text.split("\n")) {
    const next = piece.trim();
    if (next === "") continue;
    if (opens) line += next;
    else if (!CLOSING.includes(next[0]!)) line += ` ${next}`;
    else line = (line.endsWith(",") ? line.slice(0, -1) : line) + next;
    opens = OPENING.includes(next.at(-1)!);
  }
  return folded(line);
}

/** What stands before a body or behind a statement says nothing. */
function trimmed(text: string): string {
  const line = text.trim();
  return TRAILING.includes(line.at(-1) ?? " ") ? line.replace(/(?:\s*(?:=>|[{=:;,\\]))+$/, "") : line;
}

/** Cuts at a character border, and says so. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const unit = text.charCodeAt(longest - CUT.length - 1);
  return `${text.slice(0, longest - CUT.length - (unit >= 0xd800 && unit <= 0xdbff ? 1 : 0))}${CUT}`;
}

/** Names in a list, which is broken into lines. */
export function wrapped(names: readonly string[], indent: string, width = 120): string[] {
  const lines: string[] = [];
  let line = "";
  for (const name of names) {
    if (line !== "" && indent.length + line.length + name.length + 2 > width) {
      lines.push(`${indent}${line},`);
      line = name;
    } else line = line === "" ? name : `${line}, ${name}`;
  }
  return line === "" ? lines : [...lines, indent + line];
}

export function range(startRow: number, endRow: number): string {
  return startRow >= endRow ? `[${startRow + 1}]` : `[${startRow + 1}-${endRow + 1}]`;
}

export const isRanged = ({ kind, ranged }: Item): boolean => ranged === true || (kind !== "field" && kind !== "brief");
