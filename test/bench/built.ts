type Index = typeof import("../../core/index.ts");

/** The library as it is built: what a user's program imports. */
export async function built(): Promise<Index> {
  const index: Index = await import(new URL("../../dist/index.js", import.meta.url).href);
  return index;
}
