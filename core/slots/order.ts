import { MortiseError } from "../../sdk/errors.ts";

/** One layer as far as its place counts. */
export type Placed = { plugin: string; before: readonly string[]; after: readonly string[] };

/**
 * Outermost first: the last registered is outermost, unless `before` (be entered before that plugin) or `after` says otherwise.
 * `registered` is in order of registration. Plugins that are not there are ignored.
 * @throws MortiseError `layer_cycle`, naming the plugins in it.
 */
export function orderLayers<T extends Placed>(registered: readonly T[]): T[] {
  const waiting = [...registered].reverse();
  const outer = new Map(waiting.map((layer) => [layer, new Set(waiting.filter((other) => other !== layer && isBefore(other, layer)))]));
  const ordered: T[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((layer) => [...(outer.get(layer) ?? [])].every((other) => ordered.includes(other)));
    if (next < 0) {
      const names = [...new Set(waiting.map((layer) => layer.plugin))].sort();
      throw new MortiseError("layer_cycle", { seen: names.join(", "), ...(names[0] === undefined ? {} : { plugin: names[0] }) });
    }
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}

function isBefore(a: Placed, b: Placed): boolean {
  if (a.plugin === b.plugin) return false;
  return a.before.includes(b.plugin) || b.after.includes(a.plugin);
}
