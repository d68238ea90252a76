/** Names that a person may have meant, nearest first; three at most. */
export function closeNames(name: string, names: Iterable<string>): string[] {
  const limit = Math.max(2, Math.floor(name.length / 3));
  return (
    [...names]
      // A name may be megabytes long, which only the length rules out in time.
      .filter((other) => other.startsWith(name) || name.startsWith(other) || Math.abs(other.length - name.length) <= limit)
      .map((other) => ({ other, far: other.startsWith(name) || name.startsWith(other) ? 1 : distance(name.toLowerCase(), other.toLowerCase()) }))
      // A short name is not close to one that shares nothing with it.
      .filter(({ other, far }) => far <= limit && far < Math.max(name.length, other.length))
      .sort((a, b) => a.far - b.far || a.other.localeCompare(b.other))
      .slice(0, 3)
      .map(({ other }) => other)
  );
}

/** `"bsh"; did you mean "bash"?`, or the quoted name alone. */
export function quoteWithClose(name: string, names: Iterable<string>): string {
  const close = closeNames(name, names);
  const shown = JSON.stringify(name.slice(0, 80));
  return close.length === 0 ? shown : `${shown}; did you mean ${close.map((other) => JSON.stringify(other)).join(" or ")}?`;
}

/** Levenshtein distance, by rows. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
