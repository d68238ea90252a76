import { changedParts } from "./changed-parts.ts";
import { closestLines } from "./closest-lines.ts";
import { findText, type How, type Place } from "./find-text.ts";
import { type PlainText, withPlainLineEnds } from "./line-ends.ts";
import { linesAt } from "./lines-at.ts";

export type Edit = { old_string: string; new_string: string; replace_all?: boolean };

export type Applied =
  | {
      ok: true;
      text: string;
      /** Both with LF line ends and no byte order mark, to be compared. */
      plain: { before: string; after: string };
      how: How;
      /** The lines, counted from 1 in the text as it was, where something was replaced. */
      lines: number[];
    }
  | { ok: false; problem: string };

/** Characters of an edited text at most. */
const MAX_CHARS = 16 * 1024 * 1024;
const MAX_PLACES = 100_000;
/** Places that are named where there should be one. */
const NAMED_PLACES = 10;

/** Replaces one text in another, or says in a sentence why not. Line ends, a byte order mark and the end of the last line stay as they are. */
export function applyEdit(original: string, edit: Edit): Applied {
  const bom = original.startsWith("\ufeff") ? "\ufeff" : "";
  const plain = withPlainLineEnds(original.slice(bom.length));
  const old = plainString(edit.old_string);
  const fresh = plainString(edit.new_string);
  const all = edit.replace_all ?? false;
  if (old === "") return problem("old_string is empty. Name the text that is to be replaced; `write` makes a file or replaces all of it.");
  if (old === fresh) return problem("old_string and new_string are the same but for line ends, which stay as they are: nothing would change.");
  for (const [name, given] of Object.entries({ old_string: old, new_string: fresh })) {
    if (!given.isWellFormed()) return problem(`${name} has half of a character in it (a lone surrogate), which no file can hold.`);
  }

  const found = findText(plain.text, { old, fresh }, { all, most: all ? MAX_PLACES + 1 : NAMED_PLACES + 1 });
  if (found === undefined) return problem(notFound(plain.text, old));
  const { how, places } = found;
  if (places.length > MAX_PLACES) return problem(`old_string is there more than ${MAX_PLACES} times. Take a longer one, or a program.`);
  if (!all && places.length > 1) return problem(several(plain.text, places));
  const chars = places.reduce((sum, { from, to, replacement }) => sum + replacement.length - (to - from), plain.text.length);
  if (chars > MAX_CHARS) return problem(`The file would have ${chars} characters, and at most ${MAX_CHARS} are written.`);

  // Lines that stay keep the line ends that they have.
  const parts = plain.isMixed ? places.flatMap((place) => changedParts(plain.text, place)) : places;
  const text = bom + spliced(original.slice(bom.length), plain, parts);
  const after = spliced(plain.text, { at: (place) => place, lineEnd: () => "\n" }, places);
  if (text === original) return problem("The edit changes nothing: the file has new_string there already.");
  return {
    ok: true,
    text,
    plain: { before: plain.text, after },
    how,
    lines: linesAt(
      plain.text,
      places.map(({ from }) => from),
    ),
  };
}

function plainString(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}

function spliced(original: string, { at, lineEnd }: Pick<PlainText, "at" | "lineEnd">, places: readonly Place[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to, replacement } of places) {
    const end = lineEnd(from, to);
    parts.push(original.slice(done, at(from)), end === "\n" ? replacement : replacement.replaceAll("\n", end));
    done = at(to);
  }
  return parts.join("") + original.slice(done);
}

function several(text: string, places: readonly Place[]): string {
  const lines = linesAt(
    text,
    places.slice(0, NAMED_PLACES).map(({ from }) => from),
  );
  const more = places.length > NAMED_PLACES ? " and more" : "";
  return `old_string is there several times, at lines ${lines.join(", ")}${more}. Add lines around it until there is one, or set replace_all.`;
}

function notFound(text: string, old: string): string {
  const close = closestLines(text, old);
  return `old_string is not in the file. ${close ?? "Read the file, and copy the text from it."}`;
}

function problem(text: string): Applied {
  return { ok: false, problem: text };
}
