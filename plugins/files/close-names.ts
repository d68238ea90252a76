const MOST = 3;

/** The names that were probably meant: the same but for case or ending, or a few letters away. The closest first. */
export function closeNames(wanted: string, names: readonly string[]): string[] {
  const limit = Math.floor(stem(wanted).length / 3);
  return names
    .map((name) => ({ name, distance: stem(name) === stem(wanted) ? 0 : distance(name.toLowerCase(), wanted.toLowerCase(), limit) }))
    .filter((close) => close.distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

function stem(name: string): string {
  return name.toLowerCase().replace(/(.)\.[^.]*$/, "$1");
}

/** Letters to insert, remove or change; one more than the limit where there are more. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return Math.min(row[b.length]!, limit + 1);
}
