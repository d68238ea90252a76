export type LineMatch = {
  /** The first line, counted from 0. */
  line: number;
  count: number;
};

/** Where the lines of `wanted` stand one after the other in `lines`, also where they overlap. The time it takes grows with both together, whatever they hold. */
export function findLines(lines: readonly string[], wanted: readonly string[], most: number): LineMatch[] {
  if (wanted.length === 0) return [];
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
