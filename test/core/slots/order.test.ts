import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderLayers, type Placed } from "../../../core/slots/order.ts";
import { MortiseError } from "../../../sdk/errors.ts";

type Layer = Placed & { id: number };
const at = (plugin: string, more: Partial<Placed> = {}, id = 0): Layer => ({ plugin, before: [], after: [], id, ...more });
const names = (layers: readonly Layer[]) => orderLayers(layers).map(({ plugin }) => plugin);

function cycleOf(layers: readonly Layer[]): MortiseError | undefined {
  try {
    orderLayers(layers);
  } catch (error) {
    if (error instanceof MortiseError) return error;
    throw error;
  }
  return undefined;
}

describe("orderLayers()", () => {
  it("puts the last registered outermost where nobody says otherwise", () => {
    expect(names([at("a"), at("b"), at("c")])).toEqual(["c", "b", "a"]);
    expect(names([])).toEqual([]);
  });

  it("orders the layers of one plugin as those of several", () => {
    expect(orderLayers([at("a", {}, 1), at("a", {}, 2), at("b"), at("a", {}, 3)]).map(({ id }) => id)).toEqual([3, 0, 2, 1]);
  });

  it("enters a layer before the plugins it names, and after those", () => {
    expect(names([at("a", { before: ["c"] }), at("b"), at("c")])).toEqual(["b", "a", "c"]);
    expect(names([at("a"), at("b"), at("c", { after: ["a"] })])).toEqual(["b", "a", "c"]);
    expect(names([at("a", { before: ["b", "c"] }), at("b"), at("c")])).toEqual(["a", "c", "b"]);
  });

  it("ignores plugins that are not there, and itself", () => {
    expect(names([at("a", { before: ["x", "a"] }), at("b", { after: ["y", "b"] })])).toEqual(["b", "a"]);
  });

  it("places several layers of one plugin around another's", () => {
    const layers = [at("a", { before: ["b"] }, 1), at("a", { after: ["b"] }, 2), at("b", {}, 3)];
    expect(orderLayers(layers).map(({ id }) => id)).toEqual([1, 3, 2]);
  });

  it.each<[string, Layer[], string]>([
    ["two that want to be before each other", [at("a", { before: ["b"] }), at("b", { before: ["a"] })], "a, b"],
    ["one that wants to be before and after another", [at("a", { before: ["b"], after: ["b"] }), at("b")], "a, b"],
    ["a round of three", [at("c", { before: ["a"] }), at("b", { before: ["c"] }), at("a", { before: ["b"] })], "a, b, c"],
    ["two of many", [at("free"), at("a", { before: ["b"] }), at("b", { before: ["a"] }), at("other", { after: ["free"] })], "a, b"],
    [
      "two that others wait for",
      [at("a", { before: ["b"] }), at("b", { before: ["a"] }), at("late", { after: ["a"] }), at("later", { after: ["late"] })],
      "a, b",
    ],
  ])("refuses %s, and names the plugins of the cycle alone", (_, layers, seen) => {
    for (const given of [layers, layers.toReversed()])
      expect(cycleOf(given)).toMatchObject({ code: "layer_cycle", seen, plugin: seen.split(", ")[0] });
  });

  const layers = fc.array(
    fc.record({
      plugin: fc.constantFrom("a", "b", "c", "d", "e"),
      before: fc.array(fc.constantFrom("a", "b", "c", "d", "e", "x"), { maxLength: 2 }),
      after: fc.array(fc.constantFrom("a", "b", "c", "d", "e", "x"), { maxLength: 1 }),
    }),
    { maxLength: 8 },
  );

  it("holds every constraint, keeps every layer, and answers the same again; or names a real cycle", () => {
    fc.assert(
      fc.property(layers, (given) => {
        const registered = given.map((layer, id) => ({ ...layer, id }));
        const mustBeBefore = (a: Layer, b: Layer) => a.plugin !== b.plugin && (a.before.includes(b.plugin) || b.after.includes(a.plugin));
        const cycle = cycleOf(registered);
        if (cycle !== undefined) {
          expect(cycle.code).toBe("layer_cycle");
          const members = cycle.seen?.split(", ") ?? [];
          const inside = registered.filter(({ plugin }) => members.includes(plugin));
          for (const name of members)
            expect(inside.some((layer) => layer.plugin === name && inside.some((other) => mustBeBefore(other, layer)))).toBe(true);
          return;
        }
        const ordered = orderLayers(registered);
        expect(ordered.map(({ id }) => id).sort()).toEqual(registered.map(({ id }) => id));
        for (const [i, layer] of ordered.entries()) for (const outer of ordered.slice(0, i)) expect(mustBeBefore(layer, outer)).toBe(false);
        expect(orderLayers(registered)).toEqual(ordered);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves layers without constraints among themselves as they were registered, last outermost", () => {
    fc.assert(
      fc.property(layers, (given) => {
        const free = given.map((layer, id) => ({ ...layer, id, before: [], after: [] }));
        expect(orderLayers(free).map(({ id }) => id)).toEqual(free.map(({ id }) => id).reverse());
      }),
    );
  });

  it("orders thousands of layers soon", () => {
    const many = Array.from({ length: 2_000 }, (_, i) => at(`p${i}`, { before: [`p${i + 1}`] }, i));
    const began = performance.now();
    expect(orderLayers(many).map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
