import { visibleLine } from "../visible.ts";
import type { CompletionRow, FoundSource } from "./completion-types.ts";

/** Items of one answer that are looked at. */
const MOST_ITEMS = 20_000;
const MOST_TEXT = 1_000;
const MOST_SHOWN = 200;

type Item = Pick<CompletionRow, "text" | "label" | "description" | "score">;

/** The rows of what a source answered, the highest score first, `limit` at most. Items that are none are counted, as far as they were looked at. Undefined for what is no list. */
export function rowsOf(answer: unknown, { name, plugin }: FoundSource, limit: number): { rows: CompletionRow[]; malformed: number } | undefined {
  if (!Array.isArray(answer)) return undefined;
  const looked = answer.slice(0, MOST_ITEMS).map(itemOf);
  const items = looked.filter((item) => item !== undefined).sort((a, b) => b.score - a.score);
  const rows: CompletionRow[] = [];
  let malformed = looked.length - items.length;
  for (const { text, label, description, score } of items) {
    if (rows.length >= limit) break;
    // What replaces a mention has to be what a person sees.
    if (visibleLine(text) !== text) malformed++;
    else rows.push({ text, label: shown(label), description: description === null ? null : shown(description), score, source: name, plugin });
  }
  return { rows, malformed };
}

function itemOf(item: unknown): Item | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { text, label = text, description = null, score = 0 } = item as Record<string, unknown>;
  if (typeof text !== "string" || text === "" || text.length > MOST_TEXT) return undefined;
  if (typeof label !== "string" || (description !== null && typeof description !== "string") || typeof score !== "number") return undefined;
  return { text, label: label === "" ? text : label, description, score: Number.isFinite(score) ? score : 0 };
}

function shown(text: string): string {
  const line = visibleLine(text.slice(0, MOST_SHOWN).toWellFormed());
  return text.length > MOST_SHOWN ? `${line}…` : line;
}

/** All rows together: those with a higher score first, at one score the host's own and then in the order of the sources. One text comes once. */
export function merged(lists: readonly (readonly CompletionRow[])[], limit: number): CompletionRow[] {
  const texts = new Set<string>();
  const all = lists.flat();
  const hosts = all.filter(({ plugin }) => plugin === "host");
  const others = all.filter(({ plugin }) => plugin !== "host");
  return [...hosts, ...others]
    .sort((a, b) => b.score - a.score)
    .filter(({ text }) => !texts.has(text) && texts.add(text))
    .slice(0, limit);
}
