import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repair } from "../../core/repair.ts";

const field = (schema: object, optional = true) => ({ type: "object", properties: { x: schema }, ...(optional ? {} : { required: ["x"] }) });
const repairX = (schema: object, x: unknown, optional = true) => (repair({ x }, field(schema, optional)) as { x?: unknown }).x;

const integer = { type: "integer" };
const list = (items: object) => ({ type: "array", items });
const edits = list({ type: "object", properties: { old: { type: "string" }, new: { type: "string" }, all: { type: "boolean" } } });

describe("repair()", () => {
  it.each<[string, object, unknown, unknown]>([
    ["text that is a whole number", integer, "30", 30],
    ["blanks around it", integer, " 42\n", 42],
    ["a whole number with decimals of zero", integer, "20.0", 20],
    ["a sign", integer, "-7", -7],
    ["an exponent", integer, "2e3", 2000],
    ["text that is a number", { type: "number" }, "20.5", 20.5],
    ["a boolean as text", { type: "boolean" }, "true", true],
    ["a boolean in capitals", { type: "boolean" }, " False ", false],
    ["JSON text of a list", list({ type: "string" }), '["a", "b"]', ["a", "b"]],
    ["JSON text of an object", { type: "object" }, '{"a": 1}', { a: 1 }],
    ["one object where a list is expected", edits, { old: "a", new: "b" }, [{ old: "a", new: "b" }]],
    ["JSON text of one object where a list is expected", edits, '{"old": "a", "new": "b"}', [{ old: "a", new: "b" }]],
    ["items of a list", edits, [{ old: "a", all: "true", rest: 1 }], [{ old: "a", all: true }]],
    ["an item that is JSON text", edits, ['{"old": "a"}'], [{ old: "a" }]],
    ["quotes that were not escaped", edits, '[{"old": "say "hi" now", "new": "x"}]', [{ old: 'say "hi" now', new: "x" }]],
    ["code with quotes", edits, '[{"old":"print("hi")","new":"print("bye")"}]', [{ old: 'print("hi")', new: 'print("bye")' }]],
    ["a quote before a comma in prose", edits, '[{"old": "the "first", then more", "new": ""}]', [{ old: 'the "first", then more', new: "" }]],
    ["escaped quotes beside them", edits, '[{"old": "a \\"b\\" "c" d"}]', [{ old: 'a "b" "c" d' }]],
    ["quotes in JSON over many lines", edits, `[\n${" ".repeat(80)}{"old": "a "b" c"${"\n".repeat(80)}}\n]`, [{ old: 'a "b" c' }]],
    ["an optional integer written as a union of types", { type: ["integer", "null"] }, "3", 3],
    ["an optional integer written as alternatives", { anyOf: [integer, { type: "null" }] }, "3", 3],
    ["an optional list written as alternatives", { oneOf: [{ type: "null" }, edits] }, { old: "a" }, [{ old: "a" }]],
    ["values of an object with any keys", { type: "object", additionalProperties: integer }, { a: "1", b: "two" }, { a: 1, b: "two" }],
  ])("repairs %s", (_, schema, given, repaired) => {
    expect(repairX(schema, given)).toEqual(repaired);
  });

  it.each<[string, object, unknown]>([
    ["a fraction for an integer", integer, "20.5"],
    ["nothing for an integer", integer, ""],
    ["blanks for an integer", integer, "  "],
    ["NaN", { type: "number" }, "NaN"],
    ["Infinity", { type: "number" }, "Infinity"],
    ["a number past all numbers", { type: "number" }, "1e999"],
    ["an integer that would become another", integer, "9007199254740993"],
    ["hexadecimal digits", integer, "0x10"],
    ["a number with more behind it", integer, '30, "offset": 1'],
    ["a fraction that is a number", integer, 20.5],
    ["another word for true", { type: "boolean" }, "yes"],
    ["a number for a boolean", { type: "boolean" }, 1],
    ["prose where a list is expected", list({ type: "string" }), "the first and the second"],
    ["a number where a list is expected", list(integer), 5],
    ["JSON text of a list where an object is expected", { type: "object" }, "[1]"],
    ["JSON text that is cut off", edits, '[{"old": "a"'],
    ["digits where text is expected", { type: "string" }, 5],
    ["text that looks like a number where text is expected", { type: "string" }, "5"],
    ["text where a union takes text", { type: ["integer", "string"] }, "5"],
    ["text where alternatives take text", { anyOf: [integer, { type: "string" }] }, "5"],
    ["anything where the schema says nothing", {}, "5"],
    ["anything for a schema that is no object", { $ref: "#/$defs/x" }, "5"],
  ])("leaves %s for the schema to refuse or take", (_, schema, given) => {
    expect(repairX(schema, given)).toEqual(given);
  });

  it("drops fields that the schema does not know, at every depth", () => {
    expect(repair({ x: [{ old: "a", why: "b" }], y: 1 }, field(edits))).toEqual({ x: [{ old: "a" }] });
    expect(repair({ x: 1, y: 2 }, { ...field(integer), additionalProperties: false })).toEqual({ x: 1 });
  });

  it.each<[string, object]>([
    ["it takes others", { ...field(integer), additionalProperties: true }],
    ["it names none", { type: "object" }],
    ["it takes others by pattern", { ...field(integer), additionalProperties: false, patternProperties: { "^y": {} } }],
  ])("keeps unknown fields where the schema says that %s", (_, schema) => {
    expect(repair({ x: 1, y: 2 }, schema)).toEqual({ x: 1, y: 2 });
  });

  describe("other names of a field", () => {
    const schema = { type: "object", properties: { path: { type: "string" }, offset: integer } };
    const aliases = { file_path: "path", filename: "path", start: "offset" };

    it("are mapped, and their values repaired", () => {
      expect(repair({ file_path: "a", start: "3" }, schema, aliases)).toEqual({ path: "a", offset: 3 });
    });
    it("give way to the field's own name", () => {
      expect(repair({ file_path: "a", path: "b" }, schema, aliases)).toEqual({ path: "b" });
      expect(repair({ path: "b", file_path: "a" }, schema, aliases)).toEqual({ path: "b" });
    });
    it("are no other names where the schema has such a field", () => {
      const both = { type: "object", properties: { path: { type: "string" }, filename: { type: "string" } } };
      expect(repair({ filename: "a" }, both, aliases)).toEqual({ filename: "a" });
    });
    it("count at the top only", () => {
      const nested = { type: "object", properties: { at: schema } };
      expect(repair({ at: { file_path: "a" } }, nested, aliases)).toEqual({ at: {} });
    });
    it("are not found on the prototype", () => {
      expect(repair({ toString: "a", constructor: "b" }, schema, aliases)).toEqual({});
    });
  });

  describe("null", () => {
    it("is absent for an optional field", () => {
      expect(repair({ x: null }, field(integer))).toEqual({});
    });
    it("stays for a required field, to be refused", () => {
      expect(repair({ x: null }, field(integer, false))).toEqual({ x: null });
    });
    it.each<[string, object]>([
      ["a union of types", { type: ["string", "null"] }],
      ["alternatives", { anyOf: [{ type: "string" }, { type: "null" }] }],
      ["one of several", { oneOf: [{ type: "null" }, { type: "string" }] }],
      ["a list of values", { enum: ["a", null] }],
      ["a constant", { const: null }],
      ["its type", { type: "null" }],
      ["a schema that says nothing", { description: "Anything." }],
    ])("stays where the field takes it by %s", (_, schema) => {
      expect(repair({ x: null }, field(schema))).toEqual({ x: null });
    });
    it("is absent where the field takes others by alternatives", () => {
      expect(repair({ x: null }, field({ anyOf: [{ type: "string" }, integer] }))).toEqual({});
    });
  });

  describe("keys of the prototype", () => {
    const parsed = (json: string): unknown => JSON.parse(json);

    it("are dropped as unknown fields, and set no prototype", () => {
      const repaired = repair(parsed('{"command": "ls", "__proto__": {"allow": true}}'), { type: "object", properties: { command: {} } });
      expect(Object.keys(repaired as object)).toEqual(["command"]);
      expect((repaired as { allow?: unknown }).allow).toBeUndefined();
      expect(Object.getPrototypeOf(repaired)).toBe(Object.prototype);
    });
    it("are dropped where any key is taken", () => {
      const repaired = repair(parsed('{"__proto__": {"allow": true}, "constructor": {"prototype": {"allow": true}}}'), { type: "object" });
      expect(Object.keys(repaired as object)).toEqual(["constructor"]);
      expect(Object.getPrototypeOf(repaired)).toBe(Object.prototype);
      expect(({} as { allow?: unknown }).allow).toBeUndefined();
    });
    it("are fields where the schema names them", () => {
      const schema = parsed('{"type": "object", "properties": {"__proto__": {"type": "integer"}, "toString": {"type": "integer"}}}');
      const repaired = repair(parsed('{"__proto__": "1", "toString": "2"}'), schema) as object;
      expect(Object.entries(repaired)).toEqual([
        ["__proto__", 1],
        ["toString", 2],
      ]);
    });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a list", [1]],
    ["text", "ls -la"],
    ["a number", 5],
    ["nothing", undefined],
  ])("leaves a draft that is %s as it is", (_, draft) => {
    expect(repair(draft, field(integer))).toEqual(draft);
  });

  it("reads a whole draft that came as JSON text", () => {
    expect(repair('{"x": "3", "y": 1}', field(integer))).toEqual({ x: 3 });
  });

  it("changes nothing of what fits already, and does not touch what it was given", () => {
    const schema = {
      type: "object",
      properties: {
        n: { type: "number" },
        i: integer,
        b: { type: "boolean" },
        s: { type: "string" },
        l: list({ type: "string" }),
        o: { type: "object" },
      },
      required: ["n"],
    };
    fc.assert(
      fc.property(
        fc.record(
          {
            n: fc.double({ noNaN: true, noDefaultInfinity: true }),
            i: fc.integer(),
            b: fc.boolean(),
            s: fc.string({ unit: "binary" }),
            l: fc.array(fc.string({ unit: "binary" })),
            o: fc.dictionary(
              fc.string().filter((key) => key !== "__proto__"),
              fc.jsonValue(),
            ),
          },
          { requiredKeys: ["n"] },
        ),
        (draft) => {
          const before = structuredClone(draft);
          expect(repair(draft, schema)).toEqual(before);
          expect(draft).toEqual(before);
        },
      ),
    );
  });

  it.each<[string, object, string]>([
    ["a list in JSON text with a quote too many", list({ type: "string" }), `["${'a "b" '.repeat(1_000_000)}"]`],
    ["blanks after every quote", list({ type: "string" }), `["${`"${" ".repeat(2_000)}x`.repeat(4_000)}`],
    ["a number with blanks behind it", integer, `1${" ".repeat(8_000_000)}x`],
    ["digits", integer, `${"1".repeat(8_000_000)}x`],
  ])("ends soon for %s", (_, schema, text) => {
    const began = performance.now();
    repairX(schema, text);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
