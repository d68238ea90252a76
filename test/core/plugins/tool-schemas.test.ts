import { describe, expect, it } from "vitest";
import { buildPlugin } from "../../../core/plugins/build.ts";
import { freshIsolates } from "./isolates.ts";

const build = (input: string) =>
  buildPlugin(
    {
      name: "inline",
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "tools" }, (api) => {
  api.registerTool({ name: "fine", description: "Fine.", input: { type: "object", properties: { x: { type: "string" } } }, scopes: "none", run: () => "" });
  api.registerTool({ name: "other", description: "Other.", input: ${input}, scopes: "none", run: () => "" });
});`,
    },
    { isolates: freshIsolates(), optionsFor: () => ({}), cacheFolder: null },
  );

describe("checkToolSchemas()", () => {
  it.each([
    ['{ type: "object", properties: { x: 7 } }', "/properties/x"],
    ['{ type: "object", properties: { x: { type: "string", minLength: -1 } } }', "/properties/x/minLength"],
    ['{ type: "object", required: [1] }', "/required/0"],
  ])("refuses %s, naming the tool and the place", async (input, place) => {
    await expect(build(input)).rejects.toMatchObject({
      code: "plugin_invalid",
      plugin: "tools",
      seen: expect.stringContaining(`the schema of tool other: ${place}`),
    });
  });

  it("reads a schema as draft 2020-12 whatever it says of itself", async () => {
    await expect(build('{ $schema: "http://json-schema.org/draft-07/schema#", type: "object", $defs: { a: true } }')).resolves.toBeDefined();
  });
});
