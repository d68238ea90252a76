import { type TestHost, testHost } from "mortise/testing";
import { afterEach, describe, expect, it } from "vitest";

let host: TestHost | undefined;
afterEach(() => host?.close());

const tool = (name: string, says: string) => ({
  name,
  source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "${name}" }, (api) => {
  let asked = 0;
  api.registerTool({ name: "${name}", description: "Old.", input: { type: "object" }, scopes: "none", describe: ${says}, run: () => String(asked) });
});`,
});

describe("definitionsOf()", () => {
  it("does without a tool for a while that takes too long to say what it is, and tells of it", async () => {
    host = await testHost({
      builtins: false,
      limits: { windowMs: 300 },
      plugins: [tool("never", "() => { asked++; return new Promise(() => {}); }"), tool("soon", "() => `Asked ${++asked}.`")],
    });
    const failed: unknown[] = [];
    host.on("PluginFailed", (data) => void failed.push(data));
    for (let i = 1; i <= 5; i++) {
      const all = await host.definitions();
      expect(all.map(({ description }) => description)).toEqual(["Old.", `Old.\n\nAsked ${i}.`]);
    }
    expect((await host.call("never", {})).text).toBe("2");
    expect(failed).toEqual(Array(2).fill({ plugin: "never", code: "window_overrun" }));
  });
});
