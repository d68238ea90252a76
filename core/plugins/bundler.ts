type Esbuild = typeof import("esbuild");

let running = 0;

/** Runs esbuild, which is loaded and started when first needed, and ended when no bundle is under way. */
export async function bundler<T>(work: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  const esbuild = await import("esbuild");
  running++;
  try {
    return await work(esbuild);
  } finally {
    running--;
    if (running === 0) await esbuild.stop();
  }
}
