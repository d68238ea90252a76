import { findLines, type LineMatch } from "./find-lines.ts";
import { reindent } from "./indentation.ts";
import { withoutLineNumbers } from "./line-numbers.ts";
import { unescaped } from "./unescaped.ts";

/** A place in a text, and what is to stand there. */
export type Place = { from: number; to: number; replacement: string };

/** How a text was found; each says what was passed over. */
export type How = "exact" | "blanks at line ends" | "indentation" | "blanks" | "line numbers" | "escapes";

export type Found = { how: How; places: Place[] };

export type FindOptions = {
  /** All places, none of which overlap; else enough of them to tell that there are several. */
  all: boolean;
  /** The most places that are looked for. */
  most: number;
};

type Wanted = { old: string; fresh: string };

/** Texts that are longer are searched exactly alone. */
const TOLERANT_CHARS = 1024 * 1024;

/** What lines are compared by, from the least passed over to the most. */
const ways: readonly { how: How; key(line: string): string }[] = [
  { how: "blanks at line ends", key: (line) => line.trimEnd() },
  { how: "indentation", key: (line) => line.trim() },
  { how: "blanks", key: (line) => line.trim().replace(/\s+/g, " ") },
];

/**
 * Where `old` is in a text: as it is written, else whole lines that differ in nothing but blanks, else as it is once the line numbers of `read` or one level of escapes are taken off.
 * Whoever replaces a text has named every word of it: nothing that only resembles it is found.
 */
export function findText(text: string, { old, fresh }: Wanted, options: FindOptions): Found | undefined {
  const exact = exactPlaces(text, { old, fresh }, options);
  if (exact.length > 0) return { how: "exact", places: exact };
  if (text.length > TOLERANT_CHARS || old.trim() === "") return undefined;
  return byLines(text, { old, fresh }, options) ?? rewritten(text, { old, fresh }, options);
}

function exactPlaces(text: string, { old, fresh }: Wanted, { all, most }: FindOptions): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(old); at !== -1 && places.length < most; at = text.indexOf(old, at + (all ? old.length : 1))) {
    places.push({ from: at, to: at + old.length, replacement: fresh });
  }
  return places;
}

function byLines(text: string, wanted: Wanted, options: FindOptions): Found | undefined {
  const lines = text.split("\n");
  const starts = startsOf(lines);
  const whole = asLines(wanted);
  const inner = withoutOuterBlanks(whole);
  for (const asked of inner.old.length < whole.old.length ? [whole, inner] : [whole]) {
    for (const { how, key } of ways) {
      const matches = findLines(lines, asked.old, { key, most: options.most });
      const apart = options.all ? notOverlapping(matches) : matches;
      const places = apart.map((match) => placeOf(match, asked, lines, starts));
      // Where nobody knows how the new text is to be indented, none is put there.
      if (places.length > 0 && !places.includes(undefined)) return { how, places: places.filter((place) => place !== undefined) };
    }
  }
  return undefined;
}

function rewritten(text: string, wanted: Wanted, options: FindOptions): Found | undefined {
  for (const [how, rewrite] of [
    ["line numbers", withoutLineNumbers],
    ["escapes", unescaped],
  ] as const) {
    const old = rewrite(wanted.old);
    if (old === undefined || old.trim() === "") continue;
    const places = exactPlaces(text, { old, fresh: rewrite(wanted.fresh) ?? wanted.fresh }, options);
    if (places.length > 0) return { how, places };
  }
  return undefined;
}

/** The lines of both texts. `isEnded`: the line end after the last one is replaced too. */
type Asked = { old: string[]; fresh: string[]; isEnded: boolean };

function asLines({ old, fresh }: Wanted): Asked {
  const endsBoth = old.endsWith("\n") && fresh.endsWith("\n");
  const isEnded = old.endsWith("\n") && !endsBoth;
  return {
    old: old.replace(/\n$/, "").split("\n"),
    fresh: (endsBoth ? fresh.slice(0, -1) : fresh).split("\n"),
    isEnded,
  };
}

/** Without the blank lines around what is asked for, and as many of those around what comes in its place. */
function withoutOuterBlanks({ old, fresh, isEnded }: Asked): Asked {
  const isBlank = (line: string | undefined) => line !== undefined && line.trim() === "";
  let [first, last, freshFirst, freshLast] = [0, old.length, 0, fresh.length];
  for (; isBlank(old[first]) && first < last; first++) if (isBlank(fresh[freshFirst]) && freshFirst < freshLast - 1) freshFirst++;
  for (; isBlank(old[last - 1]) && last > first; last--) if (isBlank(fresh[freshLast - 1]) && freshLast - 1 > freshFirst) freshLast--;
  return { old: old.slice(first, last), fresh: fresh.slice(freshFirst, freshLast), isEnded };
}

function placeOf({ line, count }: LineMatch, asked: Asked, lines: readonly string[], starts: readonly number[]): Place | undefined {
  const last = line + count - 1;
  const end = starts[last]! + lines[last]!.length;
  const indent = reindent(asked.old, lines.slice(line, line + count));
  if (indent === undefined && asked.fresh.some((text) => text.trim() !== "")) return undefined;
  return {
    from: starts[line]!,
    to: asked.isEnded && last < lines.length - 1 ? end + 1 : end,
    replacement: (indent === undefined ? asked.fresh : asked.fresh.map(indent)).join("\n"),
  };
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

function notOverlapping(matches: readonly LineMatch[]): LineMatch[] {
  let next = 0;
  return matches.filter(({ line, count }) => {
    if (line < next) return false;
    next = line + count;
    return true;
  });
}
