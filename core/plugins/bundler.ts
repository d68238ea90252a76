import { MortiseError } from "../../sdk/errors.ts";

type Esbuild = typeof import("esbuild");

let running = 0;
let alone: Promise<unknown> = Promise.resolve();

/**
 * Runs esbuild, which is loaded and started when first needed, and ended when no bundle is under way.
 * A source may be nested so deeply that it ends the bundler, and with it what others were bundling: each of them is tried once more, alone.
 */
export async function bundler<T>(work: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  try {
    return await attempt(work);
  } catch (cause) {
    if (!hasEnded(cause)) throw cause;
    const again = alone.then(() => attempt(work));
    alone = again.catch(() => {});
    return again;
  }
}

/** Whether it was the bundler itself that ended. */
export function hasEnded(cause: unknown): boolean {
  return cause instanceof Error && /^The service (was stopped|is no longer running)/.test(cause.message);
}

async function attempt<T>(work: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  const esbuild = await import("esbuild");
  running++;
  try {
    return await work(esbuild);
  } finally {
    running--;
    if (running === 0) await esbuild.stop();
  }
}

/**
 * Ends the bundler where work takes longer than `ms`, or is not wanted any more: some short sources take it minutes.
 * @throws MortiseError `deadline_passed`, or the signal's reason.
 */
export async function inTime<T>(esbuild: Esbuild, work: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    over.reject(reason);
    void esbuild.stop();
  };
  const onAbort = () => end(signal?.reason);
  const timer = setTimeout(() => end(new MortiseError("deadline_passed", { seen: `${ms} ms` })), ms);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    work.catch(() => {});
  }
}
