import { describe, expect, it } from "vitest";
import type { ChainRequest, ChainResult, Isolates, LayerRecord } from "../../../core/isolate/isolates.ts";
import { type FireRequest, fire, specOf } from "../../../core/slots/fire.ts";
import type { Standing } from "../../../core/slots/layers.ts";
import { slots } from "../../../sdk/contract.ts";
import { pack } from "../../../sdk/wire.ts";
import { isolatesWith } from "../../support/isolates-with.ts";

const standing = (plugin: string, more: Partial<Standing> = {}): Standing => ({
  plugin,
  handler: 0,
  slot: "tool.bash.input",
  onFailure: "skip",
  data: false,
  broken: null,
  ...more,
});
const record = (plugin: string, more: Partial<LayerRecord> = {}): LayerRecord => ({
  slot: "chain",
  plugin,
  handler: 0,
  ms: 1,
  outcome: "passed",
  ...more,
});
const lost = { code: "not_granted", message: "It lost its grant." } as const;

/** Isolates of which only `chain` is called. */
function answering(answer: (request: ChainRequest) => Partial<ChainResult>): { isolates: Isolates; asked: ChainRequest[] } {
  const asked: ChainRequest[] = [];
  const isolates = isolatesWith({
    async chain(request) {
      asked.push(request);
      return { end: { kind: "value" }, value: request.value, records: request.layers.map(({ plugin }) => record(plugin)), ...answer(request) };
    },
  });
  return { isolates, asked };
}

const value = { command: "ls", deep: { list: [1, null] } };
const request = (more: Partial<FireRequest> = {}): FireRequest => ({
  slot: "tool.bash.input",
  spec: slots["tool.*.input"],
  specName: "tool.*.input",
  layers: [standing("outer"), standing("inner")],
  value,
  ctx: { tool: "bash" },
  base: "identity",
  limits: { windowMs: 1, sliceMs: 2, budgetMs: 3 },
  callKey: "key",
  ...more,
});

describe("fire()", () => {
  it("sends nothing without layers, and gives the very value that came", async () => {
    const { isolates, asked } = answering(() => ({}));
    const fired = await fire(isolates, request({ layers: [] }));
    expect(fired).toEqual({ end: { kind: "value" }, value, changed: false, records: [] });
    expect(fired.value).toBe(value);
    expect(asked).toEqual([]);
  });

  it("asks the base though there are no layers", async () => {
    const { isolates, asked } = answering(() => ({ value: pack({ command: "made" }) }));
    const fired = await fire(isolates, request({ layers: [], base: { plugin: "owner", handler: 4 } }));
    expect(fired).toMatchObject({ value: { command: "made" }, changed: true });
    expect(asked[0]).toMatchObject({ layers: [], base: { plugin: "owner", handler: 4 } });
  });

  it("sends one chain of all layers, with the value, limits and signal", async () => {
    const { isolates, asked } = answering(() => ({}));
    const { signal } = new AbortController();
    const long = { command: "x".repeat(50_000) };
    await fire(
      isolates,
      request({ value: long, signal, layers: [standing("outer", { onFailure: "block", data: true }), standing("inner", { handler: 3 })] }),
    );
    expect(asked).toEqual([
      {
        slot: "tool.bash.input",
        spec: "tool.*.input",
        layers: [
          { plugin: "outer", handler: 0, onFailure: "block", data: true },
          { plugin: "inner", handler: 3, onFailure: "skip", data: false },
        ],
        value: { json: '{"command":"\\u00000"}', blobs: [long.command] },
        ctx: { tool: "bash" },
        base: "identity",
        callKey: "key",
        windowMs: 1,
        sliceMs: 2,
        budgetMs: 3,
        signal,
      },
    ]);
  });

  it("keeps the very value that came where the chain gives an equal one", async () => {
    const { isolates } = answering(() => ({ value: pack(structuredClone(value)) }));
    const fired = await fire(isolates, request());
    expect(fired.changed).toBe(false);
    expect(fired.value).toBe(value);
  });

  it("gives a changed value, nulls and long strings in it", async () => {
    const made = { command: "y".repeat(40_000), gone: null };
    const { isolates } = answering(() => ({ value: pack(made) }));
    expect(await fire(isolates, request())).toMatchObject({ end: { kind: "value" }, value: made, changed: true });
  });

  it("gives the rewritten input with an ask", async () => {
    const end = { kind: "ask", plugin: "outer", reason: "Sure?" } as const;
    const { isolates } = answering(() => ({ end, value: pack({ command: "rm" }) }));
    expect(await fire(isolates, request())).toMatchObject({ end, value: { command: "rm" }, changed: true });
  });

  it.each<[string, Partial<FireRequest>, ChainResult["value"]]>([
    ["is no object", {}, pack("text")],
    ["is null", {}, pack(null)],
    ["is nothing", {}, pack(undefined)],
    ["is no JSON", {}, { json: "{", blobs: [] }],
    ["names a blob that is not there", {}, { json: '{"a":"\\u00009"}', blobs: ["a"] }],
    ["is an output without a flag", { spec: slots["tool.*.output"], value: { text: "", isError: false } }, pack({ text: "a" })],
    ["is an output whose text is none", { spec: slots["tool.*.output"], value: { text: "", isError: false } }, pack({ text: 5, isError: false })],
    ["is a decision that does not exist", { spec: slots["permission.prompt"] }, pack({ decision: "maybe" })],
  ])("blocks where the chain's value %s", async (_, more, made) => {
    const { isolates } = answering(() => ({ value: made }));
    const given = request(more);
    const fired = await fire(isolates, given);
    expect(fired).toMatchObject({ end: { kind: "blocked", failure: { code: "wrong_answer", plugin: "outer" } }, changed: false });
    expect(fired.value).toBe(given.value);
  });

  it.each<ChainResult["end"]>([
    { kind: "deny", plugin: "outer", reason: "No." },
    { kind: "respond", plugin: "outer", text: "Done." },
    { kind: "blocked", failure: { code: "plugin_threw", message: "It threw.", plugin: "outer" } },
    { kind: "cancelled" },
  ])("passes on that the chain ended by $kind, whatever value is with it", async (end) => {
    for (const made of [pack(value), pack(undefined), { json: "{", blobs: [] }]) {
      const { isolates } = answering(() => ({ end, value: made }));
      expect(await fire(isolates, request())).toMatchObject({ end, value, changed: false });
    }
  });

  it("names in each record the slot that its layer was registered on", async () => {
    const { isolates } = answering(() => ({}));
    const { records } = await fire(isolates, request({ layers: [standing("outer", { slot: "tool.*.input" }), standing("inner")] }));
    expect(records.map(({ plugin, slot }) => [plugin, slot])).toEqual([
      ["outer", "tool.*.input"],
      ["inner", "tool.bash.input"],
    ]);
  });

  it.each<[ChainResult["end"], string]>([
    [{ kind: "value" }, "never entered: outer answered without prev"],
    [{ kind: "deny", plugin: "outer", reason: "No." }, "never entered: outer answered without prev"],
    [{ kind: "blocked", failure: { code: "plugin_threw", message: "", plugin: "outer" } }, "never entered: outer failed"],
    [{ kind: "cancelled" }, "never entered: the call was cancelled"],
  ])("records layers that were never entered, with why: %j", async (end, reason) => {
    const { isolates } = answering(() => ({ end, records: [record("outer")] }));
    const { records } = await fire(isolates, request());
    expect(records[1]).toEqual({ slot: "tool.bash.input", plugin: "inner", handler: 0, ms: 0, outcome: "cut", reason });
  });

  describe("with a layer that cannot run", () => {
    it("passes over it and says so, where its policy is skip", async () => {
      const { isolates, asked } = answering(() => ({}));
      const { end, records } = await fire(isolates, request({ layers: [standing("gone", { broken: lost }), standing("inner")] }));
      expect(end).toEqual({ kind: "value" });
      expect(asked[0]?.layers.map(({ plugin }) => plugin)).toEqual(["inner"]);
      expect(records).toMatchObject([
        {
          slot: "tool.bash.input",
          plugin: "gone",
          outcome: "skipped",
          failure: { code: "not_granted", message: "It lost its grant.", plugin: "gone" },
        },
        { plugin: "inner", outcome: "passed" },
      ]);
    });

    it("sends nothing where no other is left", async () => {
      const { isolates, asked } = answering(() => ({}));
      const fired = await fire(isolates, request({ layers: [standing("gone", { broken: lost })] }));
      expect(fired).toMatchObject({ end: { kind: "value" }, changed: false, records: [{ plugin: "gone", outcome: "skipped" }] });
      expect(asked).toEqual([]);
    });

    it("blocks and runs nothing, where its policy is block", async () => {
      const { isolates, asked } = answering(() => ({}));
      const layers = [standing("first", { broken: lost }), standing("inner"), standing("guard", { onFailure: "block", broken: lost })];
      const fired = await fire(isolates, request({ layers }));
      expect(fired).toMatchObject({
        end: { kind: "blocked", failure: { code: "not_granted", plugin: "guard" } },
        changed: false,
        records: [
          { plugin: "first", outcome: "skipped" },
          { plugin: "guard", outcome: "failed" },
        ],
      });
      expect(asked).toEqual([]);
    });
  });
});

describe("specOf()", () => {
  it("finds the entry of a slot, and a tool's own in that of every tool", () => {
    expect(specOf("tool.bash.input")).toBe(slots["tool.*.input"]);
    expect(specOf("agent.stop")).toBe(slots["agent.stop"]);
  });

  it.each(["tool.bash.middle", "agent.start", "shout.render", "toString", "__proto__", ""])("knows no %j", (slot) => {
    expect(() => specOf(slot)).toThrow(expect.objectContaining({ code: "unknown_slot", seen: slot }));
  });
});
