import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestHost, testHost } from "../../../core/testing/testing.ts";
import { waitUntil } from "../../support/wait-until.ts";

let folder: string;
let host: TestHost;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
  host = await testHost({ builtins: false });
});
afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

async function plugin(name: string, setup: string, more = ""): Promise<string> {
  const path = join(folder, `${name}.ts`);
  await writeFile(
    join(folder, "helper.ts"),
    "type Unused = { a: string };\nexport function helper(value: any): unknown {\n  return value.field;\n}\n",
  );
  await writeFile(
    path,
    `import { definePlugin } from "mortise/sdk";\nimport { helper } from "./helper.ts";\n${more}\nexport default definePlugin({ name: "${name}", capabilities: { run: true } }, (api) => {\n  ${setup}\n  api.setSlot("tool.bash.input", (prev) => prev());\n});\n`,
  );
  return path;
}

describe("locatedFailure()", () => {
  it.each([
    ["in setup", "helper(undefined);", "", "helper.ts:3:16"],
    ["in setup, in a condition", "if (api.name) helper(null);", "", "helper.ts:3:16"],
    ["at the top level", "", 'throw new Error("at the top");', "top.ts:3:7"],
  ])("names the place of what is thrown %s, in the error and in the logs", async (_name, setup, more, place) => {
    const path = await plugin("top", setup, more);
    await expect(host.load(path)).rejects.toMatchObject({ code: "plugin_threw", seen: expect.stringContaining(join(folder, place)) });
    await waitUntil(() => host.logs.length > 0);
    expect(host.logs).toMatchObject([{ level: "error", plugin: path, text: expect.stringContaining(join(folder, place)) }]);
  });

  it("leaves other failures as they are", async () => {
    const path = await plugin("other", 'throw "a text";');
    await expect(host.load(path)).rejects.toMatchObject({ code: "plugin_threw", seen: "a text" });
    await expect(host.load({ name: "inline", source: "export default 1;" })).rejects.toMatchObject({ code: "plugin_undefined" });
  });
});

describe("locate()", () => {
  it("names places of the sources in what a layer logs by throwing", async () => {
    const guard = await testHost({
      builtins: false,
      tools: [{ name: "bash", capability: "run", description: "d", inputSchema: { type: "object" }, scopes: "none", run: () => "" }],
      plugins: [await plugin("late", 'api.setSlot("tool.bash.input", (prev, input) => helper(null));')],
    });
    await guard.call("bash", {});
    await waitUntil(() => guard.logs.length > 0);
    await guard.close();
    const text = guard.logs.map((entry) => entry.text).join("\n");
    expect(text).toContain(`${join(folder, "helper.ts")}:3:16`);
    expect(text).toContain(`${join(folder, "late.ts")}:5:`);
    expect(text).not.toContain("mortise/guest");
  });
});
