import type { Tag } from "./ctags.ts";

/** A line of an outline that has a range. */
export type Entry = { text: string; start: number; end: number; section: string };

export function entriesOf(outline: string): { entries: Entry[]; tests: string } {
  const entries: Entry[] = [];
  let section = "";
  for (const line of outline.split("\n")) {
    const title = /^([a-z][a-z ]*):/.exec(line)?.[1];
    if (title !== undefined) section = title;
    const [, text, start, end] = /^ +(.*) \[(\d+)(?:-(\d+))?\]$/.exec(line) ?? [];
    if (text !== undefined) entries.push({ text, start: Number(start), end: Number(end ?? start), section });
  }
  return { entries, tests: /^tests: [\s\S]*/m.exec(outline)?.[0] ?? "" };
}

/** Whether an outline names what stands in a line. */
export function names({ entries, tests }: ReturnType<typeof entriesOf>, name: string, line: number): boolean {
  const plain = name
    .replace(/^operator (?=\W)/, "operator")
    .replace(/^[\w:~]*::(?!$)/, "")
    .replace(/^~ /, "~")
    .replace(/\s+/g, "");
  return entries.some(({ text, start, end }) => start <= line && line <= end && text.replace(/\s+/g, "").includes(plain)) || tests.includes(plain);
}

const KEYWORDS = /^(?:return|if|for|while|switch|catch|new|else|do|throw|typeof|function|import|export)$/;

/** Why ctags knows something that the outline does not. */
export function causeOf({ name, kind, language }: Tag, lines: readonly string[], line: number, outline: string): string {
  const here = lines[line - 1] ?? "";
  if (KEYWORDS.test(name)) return "ctags takes a keyword for a name";
  if (kind === "class" && language === "JavaScript" && !/\bclass\b/.test(here)) return "ctags takes an object or a function for a class";
  if (!here.includes(name.replace(/^.*(?:::|\.)/, "").replace(/^(?:operator|~) ?/, ""))) return "ctags names another line";
  if (/\[outlined by indentation/.test(outline)) return "the parser failed";
  if (/\[.*syntax errors/.test(outline)) return "the grammar does not know what stands there or before";
  if (/^(?:\s*)(?:\*\s*)?\w+\s*(?:\(|:)/.test(here)) return "a member of an object within a function";
  return "a function within an expression";
}
