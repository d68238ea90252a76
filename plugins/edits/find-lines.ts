export type LineMatch = {
  /** The first line, counted from 0. */
  line: number;
  count: number;
};

export type LineSearch = {
  /** What lines are compared by: it changes nothing but blanks. */
  key(line: string): string;
  /** The most matches that are looked for. */
  most: number;
};

/** Places that are looked at one by one; where there may be more, all lines are read in one pass. */
const FEW = 200;

/** Where some lines stand one after the other among others, also where they overlap. At least one of them is not blank. */
export function findLines(lines: readonly string[], wanted: readonly string[], { key, most }: LineSearch): LineMatch[] {
  const { word, line: holder } = longestWord(wanted);
  if (word === "") return [];
  const keys = wanted.map(key);
  const starts: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (!line.includes(word)) continue;
    starts.push(index - holder);
    if (starts.length > FEW) return inOnePass(lines.map(key), keys, most);
  }
  return starts
    .filter((start) => start >= 0 && start + keys.length <= lines.length && keys.every((each, index) => key(lines[start + index]!) === each))
    .slice(0, most)
    .map((line) => ({ line, count: keys.length }));
}

/** No line that differs in blanks alone is without it. */
function longestWord(lines: readonly string[]): { word: string; line: number } {
  let longest = { word: "", line: 0 };
  for (const [line, text] of lines.entries()) {
    for (const word of text.match(/\S+/g) ?? []) if (word.length > longest.word.length) longest = { word, line };
  }
  return longest;
}

/** By Knuth, Morris and Pratt: the time it takes grows with both together, whatever they hold. */
function inOnePass(lines: readonly string[], wanted: readonly string[], most: number): LineMatch[] {
  const fallback = fallbacks(wanted);
  const found: LineMatch[] = [];
  let matched = 0;
  for (let at = 0; at < lines.length && found.length < most; at++) {
    while (matched > 0 && lines[at] !== wanted[matched]) matched = fallback[matched - 1]!;
    if (lines[at] === wanted[matched]) matched++;
    if (matched === wanted.length) {
      found.push({ line: at - matched + 1, count: matched });
      matched = fallback[matched - 1]!;
    }
  }
  return found;
}

/** For each beginning of `wanted`, how long a shorter beginning is that it ends with. */
function fallbacks(wanted: readonly string[]): number[] {
  const lengths = [0];
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) length = lengths[length - 1]!;
    if (wanted[at] === wanted[length]) length++;
    lengths.push(length);
  }
  return lengths;
}
