/** Failures of one kind in a row that are said: the first, and then each of these. */
const SAY_EVERY = 50;
/** Kinds that are counted at once. Names of sources may be new each time. */
const MOST_KINDS = 1_000;

export type Faults = {
  /** `about` is the layer or source that failed. */
  failed(plugin: string, about: string, message: string): void;
  well(plugin: string, about: string): void;
};

/** Counts failures, and says them without filling a log with one for each key. */
export function createFaults(log: (plugin: string, text: string) => void): Faults {
  const counts = new Map<string, number>();
  const keyOf = (plugin: string, about: string) => `${plugin} ${about}`;
  return {
    failed(plugin, about, message) {
      const key = keyOf(plugin, about);
      const count = (counts.get(key) ?? 0) + 1;
      if (counts.size >= MOST_KINDS) counts.clear();
      counts.set(key, count);
      if (count !== 1 && count % SAY_EVERY !== 0) return;
      log(plugin, `Its ${about} failed${count === 1 ? "" : `, for the ${count}th time in a row`}: ${message}`);
    },
    well: (plugin, about) => void counts.delete(keyOf(plugin, about)),
  };
}
