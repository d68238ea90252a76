import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Asks, BLOB_CHARS, ERROR_CHARS, FRAMES_PER_TURN, Manifest, NOTHING, PAYLOAD_CHARS, pack, packedChars, unpack } from "../../sdk/wire.ts";
import { loadedPlugin, tool } from "../support/loaded-plugin.ts";

const long = (text: string) => text.repeat(Math.ceil(BLOB_CHARS / text.length));

describe("limits", () => {
  it("are these, since isolates and the host must agree", () => {
    expect({ BLOB_CHARS, PAYLOAD_CHARS, FRAMES_PER_TURN, ERROR_CHARS }).toEqual({
      BLOB_CHARS: 32_768,
      PAYLOAD_CHARS: 25_165_824,
      FRAMES_PER_TURN: 256,
      ERROR_CHARS: 2_000,
    });
  });
});

describe("pack()", () => {
  it("leaves short strings in the JSON", () => {
    expect(pack({ a: "x".repeat(BLOB_CHARS - 1) })).toEqual({ json: JSON.stringify({ a: "x".repeat(BLOB_CHARS - 1) }), blobs: [] });
    expect(pack("\u0000" + "0")).toEqual({ json: '"\\u00000"', blobs: [] });
  });

  it("puts long strings beside it, and escapes what looks like their places", () => {
    const [a, b] = [long("a"), long("b")];
    expect(pack({ a, list: ["x", "\u00000", "\u0000", b] })).toEqual({
      json: '{"a":"\\u00000","list":["x","\\u0000\\u00000","\\u0000\\u0000","\\u00001"]}',
      blobs: [a, b],
    });
    expect(pack(a)).toEqual({ json: '"\\u00000"', blobs: [a] });
  });

  it("tells undefined from null", () => {
    expect(pack(undefined)).toEqual(NOTHING);
    expect(NOTHING).toEqual({ json: undefined, blobs: [] });
    expect(pack(null)).toEqual({ json: "null", blobs: [] });
  });
});

describe("unpack()", () => {
  const text = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.string({ unit: fc.constantFrom("\u0000", "0", "1", "a", "\ud800", "\udc00", "\u{1f600}", '"', "\\", "\u2028"), maxLength: 6 }),
    },
    { weight: 1, arbitrary: fc.constantFrom(long("x"), long("\u0000"), long("\ud800a"), `\u0000${long("y")}`, `\u0000\u00000${long("z")}`) },
  );
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      { weight: 4, arbitrary: text },
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0 || 0),
      fc.array(tie("value"), { maxLength: 4 }),
      fc
        .array(
          fc.tuple(
            fc.oneof(
              text.filter((key) => key.length < 10),
              fc.constantFrom("__proto__", "constructor", "toString", "length"),
            ),
            tie("value"),
          ),
          { maxLength: 4 },
        )
        .map(asObject),
    ),
  })).value;

  it("gives any JSON back as it was", () => {
    fc.assert(
      fc.property(json, (value) => {
        const packed = pack(value);
        const back = unpack(packed);
        expect(isDeepStrictEqual(back, value)).toBe(true);
        expect(JSON.stringify(back)).toBe(JSON.stringify(value));
        for (const blob of packed.blobs) expect(blob.length).toBeGreaterThanOrEqual(BLOB_CHARS);
      }),
      { numRuns: 500 },
    );
  });

  it("gives undefined back, which is not null", () => {
    expect(unpack(NOTHING)).toBeUndefined();
    expect(unpack(pack(null))).toBeNull();
  });

  it("sets no prototype from keys, with blobs or without", () => {
    for (const inner of ["short", long("x")]) {
      const back = unpack(pack(JSON.parse(JSON.stringify({ a: inner }).replace("{", '{"__proto__":{"allow":true},')))) as { allow?: unknown };
      expect(Object.keys(back)).toEqual(["__proto__", "a"]);
      expect(back.allow).toBeUndefined();
      expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    }
    expect(({} as { allow?: unknown }).allow).toBeUndefined();
  });

  it.each(["", "{", "undefined", "{'a':1}", '{"a":1}x'])("refuses %j, that is no JSON", (text) => {
    expect(() => unpack({ json: text, blobs: [] })).toThrow(SyntaxError);
  });

  it.each(["\u00001", "\u0000-1", "\u0000x", "\u00000.5", "\u0000length"])("refuses %j, that names a blob that is not there", (text) => {
    expect(() => unpack({ json: JSON.stringify([text]), blobs: ["only one"] })).toThrow(RangeError);
  });

  it("takes many megabytes soon", () => {
    const began = performance.now();
    const value = { texts: Array.from({ length: 200 }, (_, i) => `${i}`.padEnd(100_000, "x")), numbers: Array(500_000).fill(1) };
    expect(unpack(pack(value))).toEqual(value);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe("packedChars()", () => {
  it("counts JSON and blobs", () => {
    expect(packedChars(NOTHING)).toBe(0);
    expect(packedChars(pack({ a: 1 }))).toBe(7);
    const a = long("a");
    expect(packedChars(pack([a, a]))).toBe('["\\u00000","\\u00001"]'.length + 2 * a.length);
  });
});

describe("Manifest", () => {
  const { manifest } = loadedPlugin("guard", { tools: [tool("bash")] });
  const takes = (more: object) => Manifest.safeParse({ ...manifest, ...more }).success;

  it("has these fields", () => {
    expect(Object.keys(Manifest.shape)).toEqual([
      "name",
      "version",
      "description",
      "capabilities",
      "steer",
      "isolation",
      "memoryMb",
      "layers",
      "judges",
      "redactors",
      "autocmds",
      "slots",
      "tools",
      "commands",
      "rules",
      "options",
    ]);
    expect(takes({})).toBe(true);
  });

  it.each(["a", "guard-2", "a_b", "x".repeat(64), "constructor"])("takes the name %s", (name) => expect(takes({ name })).toBe(true));
  it.each(["", "A", "2a", "-a", "a.b", "a/b", "../a", "a b", "a\n", "__proto__", "x".repeat(65), 5, null])("takes no name %j", (name) =>
    expect(takes({ name })).toBe(false),
  );

  it.each(["bash", "Bash", "_x", "a-b", "__proto__", "x".repeat(64)])("takes a tool %s", (name) => expect(takes({ tools: [tool(name)] })).toBe(true));
  it.each(["", "1a", "a.b", "a b", "a*", "*", "x".repeat(65)])("takes no tool %j", (name) => expect(takes({ tools: [tool(name)] })).toBe(false));

  it.each<[string, object]>([
    ["a capability that does not exist", { tools: [tool("x", { capability: "root" as never })] }],
    ["a tool without a description", { tools: [tool("x", { description: "" })] }],
    ["a tool with an endless description", { tools: [tool("x", { description: "x".repeat(65_537) })] }],
    ["a memory below the least", { memoryMb: 7 }],
    ["a memory past the most", { memoryMb: 2_049 }],
    ["a fraction of memory", { memoryMb: 64.5 }],
    ["an isolation that does not exist", { isolation: "none" }],
    ["a policy that does not exist", { layers: [{ handler: 0, slot: "tool.bash.input", onFailure: "allow", before: [], after: [], data: false }] }],
    ["an overlap below zero", { redactors: [{ handler: 0, slot: "tool.*.output", overlap: -1 }] }],
    ["an overlap past the most", { redactors: [{ handler: 0, slot: "tool.*.output", overlap: 65_537 }] }],
    ["a rule of another effect", { rules: [{ tool: "bash", effect: "maybe" }] }],
    ["a capability that is false", { capabilities: { run: false } }],
    ["a missing list", { judges: undefined }],
  ])("takes no %s", (_, more) => expect(takes(more)).toBe(false));
});

describe("Asks", () => {
  it("takes all of a capability or scopes of it, and drops what it does not know", () => {
    expect(Asks.parse({ fs_read: true, run: ["git *"], root: true })).toEqual({ fs_read: true, run: ["git *"] });
    expect(Object.keys(Asks.shape)).toEqual(["fs_read", "fs_write", "net", "run", "env"]);
    expect(Asks.safeParse({ run: "git *" }).success).toBe(false);
  });
});

function asObject(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [key, value] of entries) Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  return object;
}
