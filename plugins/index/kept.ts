/** What was made, by key, up to a size in all; the one that was not used for longest goes first. */
export function createKept<T>(most: number) {
  const entries = new Map<string, { value: T; size: number }>();
  let total = 0;

  const drop = (key: string) => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get(key: string): T | undefined {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    },
    set(key: string, value: T, size: number): void {
      drop(key);
      if (size > most / 4) return;
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= most) break;
        drop(oldest);
      }
    },
  };
}
