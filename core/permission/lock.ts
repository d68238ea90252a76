/** Lets one through at a time, in order. The function that is returned lets the next one in. */
export type Lock = (signal: AbortSignal) => Promise<(() => void) | undefined>;

/** Undefined where the signal fired while waiting. */
export function createLock(): Lock {
  let last: Promise<void> = Promise.resolve();
  return async (signal) => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    const turn = await Promise.race([before.then(() => true), aborted(signal)]);
    if (turn && !signal.aborted) return resolve;
    // The place in the line is given up only when those before are through.
    void before.then(resolve);
    return undefined;
  };
}

/** Resolves to false once the signal fires. */
export function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}
