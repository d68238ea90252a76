import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { testHost } from "mortise/testing";
import { describe, expect, it } from "vitest";

const plugin = (capabilities: string) => ({
  name: "asker",
  source: `
    import { definePlugin } from "mortise/sdk";
    export default definePlugin({ name: "asker", capabilities: ${capabilities} }, (api) => {
      api.registerTool({
        name: "asker", description: "Asks", scopes: "none",
        input: { type: "object", properties: { request: {} }, required: ["request"] },
        run: ({ request }) => api.syntax.query(request).then((answer) => JSON.stringify(answer), (error) => "refused: " + error.code),
      });
    });`,
});
const request = { language: "json", query: "(number) @n" };

describe("api.syntax.query()", () => {
  it("answers captures of a file that the plugin may read, without its text, and nothing where it is unchanged", async () => {
    await using host = await testHost({ plugins: [plugin("{ fs_read: true }")], builtins: false });
    await writeFile(join(host.folder, "a.json"), "[1,\n 23]");
    const ask = async (more: object) => JSON.parse((await host.call("asker", { request: { ...request, ...more } })).text);
    const answer = await ask({ path: "a.json" });
    expect(answer).toMatchObject({ unchanged: false, hasError: false, wrong: 0, bytes: 8, encoding: "utf-8", invalid: false });
    expect(answer.captures).toEqual([
      { name: "n", type: "number", start: 1, end: 2, startRow: 0, endRow: 0, startColumn: 1, text: "1" },
      { name: "n", type: "number", start: 5, end: 7, startRow: 1, endRow: 1, startColumn: 1, text: "23" },
    ]);
    expect(await ask({ path: "a.json", unless: answer.hash })).toMatchObject({ unchanged: true, captures: [] });
    expect(await ask({ path: "a.json", unless: "other" })).toMatchObject({ unchanged: false, hash: answer.hash });
  });

  it("reads no file for a plugin that may not, and takes a text or a path", async () => {
    await using host = await testHost({ plugins: [plugin("{}")], builtins: false });
    await writeFile(join(host.folder, "a.json"), "[1]");
    const ask = async (more: object) => (await host.call("asker", { request: { ...request, ...more } })).text;
    expect(await ask({ path: "a.json" })).toBe("refused: not_granted");
    expect(await ask({ text: "[1]", path: "a.json" })).toBe("refused: wrong_argument");
    expect(await ask({})).toBe("refused: wrong_argument");
    expect(JSON.parse(await ask({ text: "[1]" })).captures).toHaveLength(1);
  });

  it("keeps to the paths of a grant", async () => {
    await using host = await testHost({ plugins: [plugin('{ fs_read: ["in/**"] }')], builtins: false });
    await writeFile(join(host.folder, "out.json"), "[1]");
    expect((await host.call("asker", { request: { ...request, path: "out.json" } })).text).toBe("refused: not_granted");
  });
});
