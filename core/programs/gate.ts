/** Lets so many in at once; the others wait in line. */
export type Gate = {
  /** Resolves with the way out. Rejects with the signal's reason where that fires first. */
  enter(signal?: AbortSignal): Promise<() => void>;
};

export function createGate(places: number): Gate {
  const waiting = new Set<() => void>();
  let inside = 0;

  const leave = (): void => {
    const [first] = waiting;
    if (first === undefined) inside--;
    else {
      waiting.delete(first);
      first();
    }
  };
  const once = (): (() => void) => {
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
  return {
    async enter(signal) {
      signal?.throwIfAborted();
      if (inside < places) {
        inside++;
        return once();
      }
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        const stop = (): void => {
          waiting.delete(go);
          reject(signal?.reason);
        };
        waiting.add(go);
        signal?.addEventListener("abort", stop, { once: true });
      });
      return once();
    },
  };
}
