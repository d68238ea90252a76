import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { checkInput } from "../../core/input.ts";
import type { Tool } from "../../core/tools.ts";
import { MortiseError } from "../../sdk/errors.ts";

const tool = (inputSchema: Record<string, unknown>, more: Partial<Tool> = {}): Tool => ({
  plugin: "files",
  hash: "1",
  handler: 0,
  scopes: null,
  name: "edit",
  description: "Edits.",
  kind: null,
  capability: null,
  audiences: null,
  timeoutMs: null,
  writes: null,
  aliases: {},
  inputSchema,
  ...more,
});

const edit = tool({
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    mode: { enum: ["replace", "insert", "delete"] },
    offset: { type: "integer", minimum: 1 },
    input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    edits: {
      type: "array",
      items: { type: "object", properties: { old: { type: "string" }, all: { type: ["boolean", "null"] } }, required: ["old"] },
    },
  },
  required: ["path"],
});

function errorOf(run: () => unknown): MortiseError {
  try {
    run();
  } catch (error) {
    if (error instanceof MortiseError) return error;
    throw error;
  }
  throw new Error("It did not throw.");
}

const seenFor = (draft: unknown, of: Tool = edit) => {
  const error = errorOf(() => checkInput(of, draft));
  expect(error.code).toBe("invalid_input");
  return error.seen;
};

describe("checkInput()", () => {
  it("gives the repaired input", () => {
    expect(checkInput(edit, { path: "a", offset: "20.0", edits: { old: "x", all: "true" }, why: "because" })).toEqual({
      path: "a",
      offset: 20,
      edits: [{ old: "x", all: true }],
    });
  });

  it("maps the other names that the tool gives its fields", () => {
    expect(checkInput({ ...edit, aliases: { file_path: "path" } }, { file_path: "a" })).toEqual({ path: "a" });
  });

  it.each<[string, unknown, string]>([
    ["a missing field", {}, "edit: path: expected string, got nothing"],
    ["a missing field deep inside", { path: "a", edits: [{ old: "x" }, {}] }, "edit: edits[1].old: expected string, got nothing"],
    ["a missing field of one called input", { path: "a", input: {} }, "edit: input.n: expected number, got nothing"],
    ["another type", { path: 5 }, "edit: path: expected string, got 5"],
    ["a required null", { path: null }, "edit: path: expected string, got null"],
    ["a fraction", { path: "a", offset: "20.5" }, 'edit: offset: expected integer, got "20.5"'],
    ["prose where a list is expected", { path: "a", edits: "replace x by y" }, 'edit: edits: expected array, got "replace x by y"'],
    ["a union of types", { path: "a", edits: [{ old: "x", all: "maybe" }] }, 'edit: edits[0].all: expected boolean or null, got "maybe"'],
    ["a value that is not among those listed", { path: "a", mode: "move" }, 'edit: mode: expected one of ["replace","insert","delete"], got "move"'],
    ["a number too small", { path: "a", offset: 0 }, "edit: offset: must be >= 1, got 0"],
    ["text too short", { path: "" }, 'edit: path: must NOT have fewer than 1 characters, got ""'],
    ["a long value", { path: "a", edits: "x".repeat(500) }, `edit: edits: expected array, got "${"x".repeat(59)}...`],
    ["a character of two at the cut", { path: "a", edits: `${"x".repeat(58)}\u{1f600}y` }, `edit: edits: expected array, got "${"x".repeat(58)}...`],
    ["no object", "ls -la", 'edit: input: expected object, got "ls -la"'],
    ["a list", [1, 2], "edit: input: expected object, got [1,2]"],
    ["null", null, "edit: input: expected object, got null"],
    ["nothing at all", undefined, "edit: input: expected object, got nothing"],
    [
      "several faults",
      { offset: "a", mode: 1 },
      'edit: path: expected string, got nothing; mode: expected one of ["replace","insert","delete"], got 1; offset: expected integer, got "a"',
    ],
  ])("names path, expected and got for %s", (_, draft, seen) => {
    expect(seenFor(draft)).toBe(seen);
  });

  it("shows a model the error in one sentence, with what to do", () => {
    expect(errorOf(() => checkInput(edit, {})).message).toBe(
      "The input does not fit the tool's schema: edit: path: expected string, got nothing. Send the call again with the input corrected.",
    );
  });

  it("names three faults at most", () => {
    const four = tool({ type: "object", properties: {}, required: ["a", "b", "c", "d"] });
    expect(seenFor({}, four)).toBe("edit: a: expected a value, got nothing; b: expected a value, got nothing; c: expected a value, got nothing");
  });

  it("lists all of many allowed values, so that a model can choose", () => {
    const names = Array.from({ length: 30 }, (_, i) => `name-${i}`);
    expect(seenFor({ x: "?" }, tool({ type: "object", properties: { x: { enum: names } } }))).toBe(
      `edit: x: expected one of ${JSON.stringify(names)}, got "?"`,
    );
  });

  it("names a constant, and a field that is not known", () => {
    expect(seenFor({ v: 2 }, tool({ type: "object", properties: { v: { const: 1 } } }))).toBe("edit: v: expected 1, got 2");
    const closed = tool({ type: "object", properties: { v: {} }, patternProperties: { "^x-": {} }, additionalProperties: false });
    expect(seenFor({ w: 2 }, closed)).toBe('edit: input: unknown field "w"');
  });

  it("refuses what is no object even where the schema takes it", () => {
    expect(seenFor("text", tool({}))).toBe('edit: expected an object, got "text"');
    expect(seenFor([1], tool({ type: "array" }))).toBe("edit: expected an object, got [1]");
  });

  it("sets no prototype from keys of the draft", () => {
    const draft: unknown = JSON.parse('{"path": "a", "__proto__": {"allow": true}, "constructor": {"prototype": {"allow": true}}}');
    const input = checkInput(edit, draft);
    expect(Object.keys(input)).toEqual(["path"]);
    expect(input.allow).toBeUndefined();
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });

  it("takes schemas as zod writes them", () => {
    const schema = z.object({
      n: z.optional(z.nullable(z.int())),
      map: z.record(z.string(), z.boolean()),
      tags: z._default(z.array(z.string()), []),
    });
    const made = tool(z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>);
    expect(checkInput(made, { n: "3", map: { a: "true" }, tags: '["x"]', other: 1 })).toEqual({ n: 3, map: { a: true }, tags: ["x"] });
    expect(checkInput(made, { n: null, map: {} })).toEqual({ n: null, map: {} });
  });

  it.each(["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "https://example.invalid/unknown"])(
    "reads a schema that calls itself %s",
    ($schema) => {
      expect(checkInput(tool({ $schema, type: "object", properties: { x: { type: "integer" } } }), { x: "1" })).toEqual({ x: 1 });
    },
  );

  it("keeps schemas of the same id apart, as after a reload", () => {
    const named = (type: string) =>
      tool({
        $id: "https://example.invalid/x",
        type: "object",
        properties: { x: { $ref: "#/$defs/x" }, y: { $ref: "https://example.invalid/x#/$defs/x" } },
        $defs: { x: { $id: "https://example.invalid/inner", type } },
      });
    expect(checkInput(named("string"), { x: "a", y: "b" })).toEqual({ x: "a", y: "b" });
    expect(seenFor({ x: "a" }, named("object"))).toBe('edit: x: expected object, got "a"');
  });

  it("says whose schema is none", () => {
    const error = errorOf(() => checkInput(tool({ type: "objekt" }), {}));
    expect(error).toMatchObject({ code: "plugin_invalid", plugin: "files", seen: "the schema of tool edit" });
  });

  it("ends a pattern that would go on for years", () => {
    const slow = tool({ type: "object", properties: { x: { type: "string", pattern: "^(a+)+$" } } });
    expect(checkInput(slow, { x: "aaa" })).toEqual({ x: "aaa" });
    const error = errorOf(() => checkInput(slow, { x: `${"a".repeat(64)}!` }));
    expect(error).toMatchObject({ code: "slice_overrun", plugin: "files" });
    expect(seenFor({ x: "b" }, slow)).toBe('edit: x: must match pattern "^(a+)+$", got "b"');
  });

  it("ends definitions that name each other more often than anybody could count", () => {
    const $defs: Record<string, unknown> = { d0: { type: "object" } };
    for (let i = 1; i <= 60; i++) $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    expect(errorOf(() => checkInput(tool({ type: "object", $defs, $ref: "#/$defs/d60" }), {}))).toMatchObject({
      code: "slice_overrun",
      plugin: "files",
    });
  });

  it("asks a schema no more that took too long time after time", () => {
    const slow = tool({ type: "object", properties: { x: { type: "string", pattern: "^(a+)+$" } } });
    const tooLong = () => expect(errorOf(() => checkInput(slow, { x: `${"a".repeat(64)}!` })).code).toBe("slice_overrun");
    tooLong();
    expect(checkInput(slow, { x: "a" })).toEqual({ x: "a" });
    for (let i = 0; i < 5; i++) tooLong();
    const began = process.cpuUsage();
    for (let i = 0; i < 20; i++) tooLong();
    expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
  }, 30_000);

  it("compiles a large definition once, however often it is named", () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, { type: "string", maxLength: i }]));
    const named = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`b${i}`, { $ref: "#/$defs/large" }]));
    const large = tool({ type: "object", $defs: { large: { type: "object", properties } }, properties: named });
    expect(seenFor({ b7: { a3: "four" } }, large)).toBe('edit: b7.a3: must NOT have more than 3 characters, got "four"');
  });

  it("refuses what does not fit a schema that says it is asynchronous", async () => {
    const late = tool({ $async: true, type: "object", properties: { n: { type: "number" } }, required: ["n"] });
    expect(seenFor({}, late)).toBe("edit: n: expected number, got nothing");
    expect(checkInput(late, { n: 1 })).toEqual({ n: 1 });
  });

  it("names the first of millions of faults without gathering the others", () => {
    const numbers = tool({ type: "object", properties: { x: { type: "array", items: { type: "string" } } } });
    const before = process.memoryUsage().heapUsed;
    expect(seenFor({ x: Array(3_000_000).fill(1) }, numbers)).toBe("edit: x[0]: expected string, got 1");
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024);
  });
});
