import { describe, expect, it } from "vitest";
import { type Context, createContexts } from "../../core/contexts.ts";

describe("createContexts()", () => {
  it("knows a piece of work by its key until it is left", () => {
    const contexts = createContexts();
    const outer: Context = { kind: "tool", call: null, depth: 0 };
    const inner: Context = { kind: "layer", call: null, depth: 1 };
    const first = contexts.enter(outer);
    const second = contexts.enter(inner);
    expect(first.key).not.toBe(second.key);
    expect(contexts.get(first.key)).toBe(outer);
    expect(contexts.get(second.key)).toBe(inner);
    first.leave();
    first.leave();
    expect(contexts.get(first.key)).toBeUndefined();
    expect(contexts.get(second.key)).toBe(inner);
  });

  it("gives a key once", () => {
    const contexts = createContexts();
    const enter = () => contexts.enter({ kind: "tool", call: null, depth: 0 });
    const first = enter();
    first.leave();
    expect(enter().key).not.toBe(first.key);
  });

  it.each([null, "", "0", "__proto__", "toString"])("knows nothing by the key %j", (key) => {
    expect(createContexts().get(key)).toBeUndefined();
  });
});
