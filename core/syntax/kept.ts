/** What was worked out, by key, up to a size in all; the oldest goes first. */
export type Kept<T> = {
  get(key: string): T | undefined;
  set(key: string, value: T, size: number): T;
};

export function createKept<T>(most: number): Kept<T> {
  const entries = new Map<string, { value: T; size: number }>();
  let total = 0;

  const drop = (key: string) => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    },
    set(key, value, size) {
      drop(key);
      if (size > most / 4) return value;
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= most) break;
        drop(oldest);
      }
      return value;
    },
  };
}
