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
  const ordered = new Set<T>();
  while (waiting.length > 0) {
    const next = waiting.findIndex((layer) => [...(outer.get(layer) ?? [])].every((other) => ordered.has(other)));
    if (next < 0) {
      const names = [...new Set(cycleIn(waiting, outer).map((layer) => layer.plugin))].sort();
      throw new MortiseError("layer_cycle", { seen: names.join(", "), ...(names[0] === undefined ? {} : { plugin: names[0] }) });
    }
    for (const layer of waiting.splice(next, 1)) ordered.add(layer);
  }
  return [...ordered];
}

/** Layers that wait for each other in a circle. Each one that waits does so for another that waits, so following them ends in one. */
function cycleIn<T extends Placed>(waiting: readonly T[], outer: ReadonlyMap<T, ReadonlySet<T>>): T[] {
  const path: T[] = [];
  let at = waiting[0];
  while (at !== undefined && !path.includes(at)) {
    path.push(at);
    const before: ReadonlySet<T> | undefined = outer.get(at);
    at = waiting.find((layer) => before?.has(layer) === true);
  }
  return at === undefined ? path : path.slice(path.indexOf(at));
}

function isBefore(a: Placed, b: Placed): boolean {
  if (a.plugin === b.plugin) return false;
  return a.before.includes(b.plugin) || b.after.includes(a.plugin);
}
