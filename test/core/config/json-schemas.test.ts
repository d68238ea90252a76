import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { jsonSchemas } from "../../../core/config/json-schemas.ts";

const path = (name: string) => fileURLToPath(new URL(`../../../core/config/schemas/${name}`, import.meta.url));

describe("jsonSchemas()", () => {
  it("is what is shipped; UPDATE=1 writes it anew", () => {
    for (const [name, text] of Object.entries(jsonSchemas())) {
      if (process.env.UPDATE === "1") writeFileSync(path(name), text);
      expect(readFileSync(path(name), "utf8"), name).toBe(text);
    }
  });

  it("says the same as the host of good and bad files", () => {
    const check = (name: string, value: unknown) => new Ajv2020({ strict: false }).compile(JSON.parse(jsonSchemas()[name] ?? ""))(value);
    expect(check("permissions.schema.json", { rules: [{ tool: "bash", pattern: "git *", effect: "allow" }] })).toBe(true);
    expect(check("permissions.schema.json", { rules: [{ tool: "bash", effect: "maybe" }] })).toBe(false);
    expect(check("config.schema.json", { grants: { a: { fs_read: ["src/**"] }, b: true }, limits: { sliceMs: 100 } })).toBe(true);
    expect(check("config.schema.json", { grant: {} })).toBe(false);
  });
});
