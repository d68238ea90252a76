import { MAX_BYTES, MAX_LINES, type TruncateLimits } from "./truncate.ts";

type Said = Readonly<Record<string, { lines?: number | undefined; bytes?: number | undefined }>>;

/** How much of a tool's text the model sees: as the first layer says that says something of this tool, or of every tool. */
export function outputLimits(layers: readonly Said[], tool: string): TruncateLimits {
  const said = layers.flatMap((layer) => [tool, "*"].flatMap((name) => (Object.hasOwn(layer, name) ? (layer[name] ?? []) : [])));
  return {
    lines: said.find(({ lines }) => lines !== undefined)?.lines ?? MAX_LINES,
    bytes: said.find(({ bytes }) => bytes !== undefined)?.bytes ?? MAX_BYTES,
  };
}
