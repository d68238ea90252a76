/** How well a path fits what was typed, higher is better; -1 where it does not. Both are in lower case. */
export function fuzzyScore(path: string, query: string): number {
  const base = path.lastIndexOf("/", path.length - 2) + 1;
  const at = path.indexOf(query, base);
  const near = Math.min(path.length, 200) / 4;
  if (at === base) return (isEnd(path, at + query.length) ? 1_000 : 900) - near;
  if (at > base) return (isWordStart(path, at) ? 800 : 700) - near;
  const before = path.lastIndexOf(query);
  if (before >= 0) return (before === 0 ? 650 : isWordStart(path, before) ? 600 : 500) - near;
  const inBase = scattered(path, query, base);
  if (inBase >= 0) return 300 + Math.min(inBase, 150) - near;
  const inPath = scattered(path, query, 0);
  return inPath < 0 ? -1 : 100 + Math.min(inPath, 150) - near;
}

/** Which characters a text has, as bits: a path without one of the query's fits in no way. */
export function letters(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bits |= code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << (26 + (code % 6));
  }
  return bits;
}

/** Points for the characters of the query one after another, with others between; -1 where they are not all there. */
function scattered(path: string, query: string, from: number): number {
  let points = 0;
  let at = from;
  let last = -2;
  for (let i = 0; i < query.length; i++) {
    const found = path.indexOf(query.charAt(i), at);
    if (found < 0) return -1;
    if (found === last + 1) points += 8;
    else if (isWordStart(path, found)) points += 10;
    else points -= Math.min(found - last, 4);
    last = found;
    at = found + 1;
  }
  return Math.max(points, 0);
}

function isWordStart(path: string, at: number): boolean {
  if (at === 0) return true;
  const before = path.charCodeAt(at - 1);
  return before === 47 || before === 45 || before === 46 || before === 95 || before === 32;
}

function isEnd(path: string, at: number): boolean {
  return at === path.length || (at === path.length - 1 && path.endsWith("/"));
}
