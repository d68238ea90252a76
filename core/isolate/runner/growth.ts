/** In whose turns the runner's memory came, also what no isolate counts. */
export type Growth = {
  /** Takes a sample where the last one is old enough; what came since counts for the plugin. */
  look(plugin: number): void;
  bytes(): number;
  largest(): { plugin: number; bytes: number };
};

/** Samples are this many milliseconds apart at least: each takes a system call. */
const EVERY_MS = 1;

export function createGrowth(): Growth {
  const grown = new Map<number, number>();
  let bytes = process.memoryUsage.rss();
  let at = performance.now();
  return {
    look(plugin) {
      const now = performance.now();
      if (now - at < EVERY_MS) return;
      at = now;
      const before = bytes;
      bytes = process.memoryUsage.rss();
      if (bytes < before) shrink(before - bytes);
      else if (bytes > before && plugin !== 0) grown.set(plugin, (grown.get(plugin) ?? 0) + bytes - before);
    },
    bytes: () => bytes,
    largest() {
      let largest = { plugin: 0, bytes: 0 };
      for (const [plugin, each] of grown) if (each > largest.bytes) largest = { plugin, bytes: each };
      return largest;
    },
  };

  /** Nobody knows whose memory went: it is taken from all alike. */
  function shrink(by: number): void {
    let all = 0;
    for (const each of grown.values()) all += each;
    const kept = all === 0 ? 0 : Math.max(0, 1 - by / all);
    for (const [plugin, each] of grown) grown.set(plugin, each * kept);
  }
}
