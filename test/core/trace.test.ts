import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { LayerRecord } from "../../core/isolate/isolates.ts";
import { TRACED_CHARS, traceLayers } from "../../core/trace.ts";
import { pack } from "../../sdk/wire.ts";

const record = (more: Partial<LayerRecord>): LayerRecord => ({
  slot: "tool.bash.input",
  plugin: "guard",
  handler: 3,
  ms: 1,
  outcome: "passed",
  ...more,
});
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("traceLayers()", () => {
  it("says of each layer where it stood, what it did and how long, in order", () => {
    const entries = traceLayers([record({ ms: 1.23456 }), record({ plugin: "other", handler: 0, outcome: "denied", reason: "No." })], {}, "layer");
    expect(entries).toEqual([
      { slot: "tool.bash.input", plugin: "guard", kind: "layer", handler: 3, ms: 1.235, outcome: "passed" },
      { slot: "tool.bash.input", plugin: "other", kind: "layer", handler: 0, ms: 1, outcome: "denied", reason: "No." },
    ]);
  });

  it("names a failure by code and text alone", () => {
    const failure = { code: "plugin_threw" as const, message: "It threw.", plugin: "guard" };
    expect(traceLayers([record({ outcome: "failed", failure })], {}, "redactor")).toEqual([
      {
        slot: "tool.bash.input",
        plugin: "guard",
        kind: "redactor",
        handler: 3,
        ms: 1,
        outcome: "failed",
        failure: { code: "plugin_threw", message: "It threw." },
      },
    ]);
  });

  it("keeps before and after of a change, and length and hash of what was there", () => {
    const before = { command: "ls \u00e9" };
    const after = { command: "ls -la" };
    const [entry] = traceLayers([record({ outcome: "changed", after: pack(after) })], before, "layer");
    const json = JSON.stringify(before);
    expect(entry).toMatchObject({
      before: { value: before, raw: { bytes: Buffer.byteLength(json), sha256: sha256(json) } },
      after: { value: after },
    });
  });

  it("keeps neither where nothing changed", () => {
    const [entry] = traceLayers([record({})], { command: "ls" }, "layer");
    expect(entry).not.toHaveProperty("before");
    expect(entry).not.toHaveProperty("after");
  });

  it("survives what an isolate made that is no JSON", () => {
    const [entry] = traceLayers([record({ outcome: "changed", after: { json: "{", blobs: [] } })], {}, "layer");
    expect(entry?.after).toEqual({ bytes: 0, sha256: "" });
  });

  it("says of each layer what came to it, where that is not what came to the stage", () => {
    const entries = traceLayers(
      [
        record({ outcome: "changed", before: pack({ n: 2 }), after: pack({ n: 3 }) }),
        record({ plugin: "inner", outcome: "changed", after: pack({ n: 2 }) }),
      ],
      { n: 1 },
      "layer",
    );
    expect(entries).toMatchObject([
      { before: { value: { n: 2 } }, after: { value: { n: 3 } } },
      { before: { value: { n: 1 } }, after: { value: { n: 2 } } },
    ]);
  });

  it("keeps values up to the limit, and length and hash of the whole beyond", () => {
    const fits = "x".repeat(TRACED_CHARS - 2);
    const json = JSON.stringify(`${fits}x`);
    const [short] = traceLayers([record({ outcome: "changed", after: pack(fits) })], fits, "layer");
    expect(short).toMatchObject({ before: { value: fits }, after: { value: fits } });
    const [long] = traceLayers([record({ outcome: "changed", after: pack(`${fits}x`) })], `${fits}x`, "layer");
    const digest = { bytes: json.length, sha256: sha256(json) };
    expect(long).toMatchObject({ before: { ...digest, raw: digest }, after: digest });
    const [left] = traceLayers([record({ outcome: "changed", before: digest, after: digest })], {}, "layer");
    expect(left).toMatchObject({ before: { ...digest, raw: digest }, after: digest });
  });

  it.each([null, false, 0, "", []])("keeps %j", (value) => {
    expect(traceLayers([record({ outcome: "changed", after: pack(value) })], value, "layer")[0]).toMatchObject({
      before: { value },
      after: { value },
    });
  });
});
