/** Failures of one source in a row that are said: the first, and then each of these. */
const SAY_EVERY = 50;

export type Faults = {
  failed(plugin: string, source: string, message: string): void;
  well(plugin: string, source: string): void;
};

/** Counts failures of sources, and says them without filling a log with one for each key. */
export function createFaults(log: (plugin: string, text: string) => void): Faults {
  const counts = new Map<string, number>();
  const keyOf = (plugin: string, source: string) => `${plugin} ${source}`;
  return {
    failed(plugin, source, message) {
      const key = keyOf(plugin, source);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count !== 1 && count % SAY_EVERY !== 0) return;
      log(plugin, `Its source of completions ${source} failed${count === 1 ? "" : `, for the ${count}th time in a row`}: ${message}`);
    },
    well: (plugin, source) => void counts.delete(keyOf(plugin, source)),
  };
}
