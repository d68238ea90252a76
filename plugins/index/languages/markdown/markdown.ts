import type { Item, Language } from "../../language.ts";
import query from "./query.scm";

export const markdown: Language = {
  name: "Markdown",
  grammar: "markdown",
  query,
  extensions: ["md", "markdown", "mdx", "mdown", "mkd", "qmd", "rmd"],
  shape,
};

/** A heading's part runs to the next heading that is not below it. */
function shape(items: readonly Item[]): Item[] {
  const last = items.find(({ kind }) => kind === "whole")?.endRow ?? 0;
  const headings = items.filter(({ kind }) => kind === "headings").map((item) => ({ ...item, ...read(item.text) }));
  return headings.map(({ level, ...item }, at) => {
    const next = headings.slice(at + 1).find((each) => each.level <= level);
    return { ...item, endRow: next === undefined ? Math.max(last, item.endRow) : next.startRow - 1 };
  });
}

/** `## Title ##`, or a title with a line of `=` or `-` below. */
function read(text: string): { level: number; text: string } {
  const [, marks, title = ""] = /^\s*(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/s.exec(text) ?? [];
  if (marks !== undefined) return { level: marks.length, text: `${marks} ${title}` };
  const under = text.trimEnd().at(-1);
  const level = under === "=" ? 1 : 2;
  return { level, text: `${"#".repeat(level)} ${text.trimEnd().replace(/\s*\n[^\n]*$/, "")}` };
}
