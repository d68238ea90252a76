import { describe, expect, it } from "vitest";
import type { ChainRequest, ChainResult, Isolates, LayerRecord } from "../../../core/isolate/isolates.ts";
import { redact } from "../../../core/redact/redact.ts";
import type { StandingRedactor } from "../../../core/slots/layers.ts";
import { sentence } from "../../../sdk/errors.ts";
import { pack, unpack } from "../../../sdk/wire.ts";
import { isolatesWith } from "../../support/isolates-with.ts";

const redactor = (more: Partial<StandingRedactor> = {}): StandingRedactor => ({
  plugin: "keys",
  handler: 1,
  slot: "tool.*.output",
  onFailure: "block",
  data: false,
  broken: null,
  overlap: 256,
  ...more,
});
const record: LayerRecord = { slot: "redact", plugin: "keys", handler: 1, ms: 1, outcome: "changed" };
const withheld = sentence("withheld");

/** Isolates of which only `chain` is called, with what it was asked. */
function answering(chain: (request: ChainRequest) => Promise<ChainResult>): { isolates: Isolates; asked: ChainRequest[] } {
  const asked: ChainRequest[] = [];
  const isolates = isolatesWith({
    chain(request) {
      asked.push(request);
      return chain(request);
    },
  });
  return { isolates, asked };
}

const hiding = async (request: ChainRequest): Promise<ChainResult> => {
  const { texts } = unpack(request.value) as { texts: string[] };
  return { end: { kind: "value" }, value: pack({ texts: texts.map((text) => text.replaceAll(/sk-\w+/g, "[redacted]")) }), records: [record] };
};

describe("redact()", () => {
  it("sends nothing without redactors or without texts", async () => {
    const { isolates, asked } = answering(hiding);
    expect(await redact(isolates, [], ["sk-1"], "key")).toEqual({ texts: ["sk-1"], withheld: false, records: [] });
    expect(await redact(isolates, [redactor()], [], "key")).toEqual({ texts: [], withheld: false, records: [] });
    expect(asked).toEqual([]);
  });

  it("asks all redactors once for all texts, as a chain that blocks and that no cancel shortens", async () => {
    const { isolates, asked } = answering(hiding);
    const long = `${"x".repeat(100_000)} sk-2`;
    const done = await redact(isolates, [redactor(), redactor({ plugin: "more", handler: 4 })], ["a sk-1", "", long], "key");
    expect(done).toEqual({ texts: ["a [redacted]", "", `${"x".repeat(100_000)} [redacted]`], withheld: false, records: [record] });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      slot: "redact",
      spec: "redact",
      base: "identity",
      callKey: "key",
      layers: [
        { plugin: "keys", handler: 1, onFailure: "block", data: false },
        { plugin: "more", handler: 4, onFailure: "block", data: false },
      ],
    });
    expect(asked[0]).not.toHaveProperty("signal");
  });

  it("withholds every text, and sends nothing, where a redactor cannot run", async () => {
    const { isolates, asked } = answering(hiding);
    const broken = redactor({ plugin: "gone", broken: { code: "not_granted", message: "gone lost its grant" } });
    expect(await redact(isolates, [redactor(), broken], ["sk-1", "", "b"], "key")).toEqual({
      texts: [withheld, "", withheld],
      withheld: true,
      records: [
        {
          slot: "tool.*.output",
          plugin: "gone",
          handler: 1,
          ms: 0,
          outcome: "failed",
          failure: { code: "not_granted", message: "gone lost its grant", plugin: "gone" },
        },
      ],
    });
    expect(asked).toEqual([]);
  });

  it.each<[string, () => Promise<ChainResult>]>([
    [
      "failed",
      async () => ({
        end: { kind: "blocked", failure: { code: "plugin_threw", message: "It threw.", plugin: "keys" } },
        value: pack({ texts: ["sk-1", "b"] }),
        records: [record],
      }),
    ],
    ["was cancelled", async () => ({ end: { kind: "cancelled" }, value: pack({ texts: ["sk-1", "b"] }), records: [record] })],
    ["denied", async () => ({ end: { kind: "deny", plugin: "keys", reason: "No." }, value: pack({ texts: ["sk-1", "b"] }), records: [record] })],
    ["gave fewer texts", async () => ({ end: { kind: "value" }, value: pack({ texts: ["a"] }), records: [record] })],
    ["gave more texts", async () => ({ end: { kind: "value" }, value: pack({ texts: ["a", "b", "c"] }), records: [record] })],
    ["gave something else than texts", async () => ({ end: { kind: "value" }, value: pack({ texts: ["a", 5] }), records: [record] })],
    ["gave nothing", async () => ({ end: { kind: "value" }, value: pack(undefined), records: [record] })],
    ["gave what is no JSON", async () => ({ end: { kind: "value" }, value: { json: "{", blobs: [] }, records: [record] })],
    [
      "named a blob that is not there",
      async () => ({ end: { kind: "value" }, value: { json: '{"texts":["\\u00003","b"]}', blobs: ["a"] }, records: [record] }),
    ],
  ])("withholds every text where the chain %s", async (_, chain) => {
    const { isolates } = answering(chain);
    expect(await redact(isolates, [redactor()], ["sk-1", "b"], "key")).toEqual({ texts: [withheld, withheld], withheld: true, records: [record] });
  });

  it("withholds every text where the chain could not be run", async () => {
    const { isolates } = answering(async () => {
      throw new Error("closed");
    });
    expect(await redact(isolates, [redactor()], ["sk-1"], "key")).toEqual({ texts: [withheld], withheld: true, records: [] });
  });
});
