import { describe, expect, it } from "vitest";
import { outputSchema } from "../../../../core/agent/tasks/output.ts";

const person = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.com/person",
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 }, tags: { type: "array", items: { type: "string" } } },
  required: ["name", "age"],
};

describe("outputSchema()", () => {
  it("takes what fits as it is, with all that the schema leaves open", () => {
    expect(outputSchema(person).check({ name: "A", age: 3, more: { b: null } })).toEqual({ output: { name: "A", age: 3, more: { b: null } } });
  });

  it("repairs what models commonly get wrong", () => {
    expect(outputSchema(person).check({ name: "A", age: "3", tags: '["x"]' })).toEqual({ output: { name: "A", age: 3, tags: ["x"] } });
  });

  it("says what does not fit, three faults at most", () => {
    const checked = outputSchema(person).check({ age: -1, tags: [1, 2, 3] });
    expect(checked).toMatchObject({ faults: [expect.stringContaining("name"), expect.any(String), expect.any(String)] });
    for (const wrong of [null, "words", [], 7]) expect(outputSchema(person).check(wrong)).toHaveProperty("faults");
  });

  it("refuses what does not fit a schema that says it is asynchronous", () => {
    expect(outputSchema({ $async: true, ...person }).check({ name: "A" })).toHaveProperty("faults");
  });

  it("may be read any number of times, whatever its name", () => {
    for (let i = 0; i < 3; i++) expect(outputSchema(structuredClone(person)).check({ name: "A", age: 1 })).toHaveProperty("output");
  });

  it("throws for what is no schema of an object", () => {
    for (const schema of [{}, { type: "string" }, { type: ["object"] }, { type: "object", required: "name" }, { type: "object", $ref: "#/nowhere" }])
      expect(() => outputSchema(schema)).toThrow(expect.objectContaining({ code: "wrong_argument" }));
  });
});
