import { type TestHost, testHost } from "mortise/testing";
import { afterEach, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";

const tool = (name: string, run: string) => ({
  name,
  source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "${name}" }, (api) => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  api.registerTool({ name: "${name}", description: "x", input: { type: "object" }, scopes: "none", run: ${run} });
});`,
});
const calm = tool("calm", `async () => { await pause(2_000); return "calm"; }`);

let host: TestHost;
afterEach(() => host.close());

const beside = async (flood: string) => {
  host = await testHost({ builtins: false, plugins: [tool("flood", flood), calm] });
  const other = host.call("calm", {});
  let shown = 0;
  const record = await host.call("flood", {}, { onOutput: (text) => (shown += text.length) });
  return { record, shown, other: await other };
};

it("refuses to a turn more text than may leave with it", async () => {
  const { record, other } = await beside(
    `(_, call) => { let n = 0; try { for (; n < 1_000; n++) call.write("x".repeat(1_000_000)); } catch (error) { return n + " " + error.code; } return "all"; }`,
  );
  expect(record.text).toMatch(/^\d\d payload_too_large$/);
  expect(other.text).toBe("calm");
}, 60_000);

it("drops what is shown faster than the host takes it, and says so", async () => {
  const { record, shown, other } = await beside(
    `async (_, call) => { for (let i = 0; i < 600; i++) { call.write("x".repeat(1_000_000)); await pause(0); } return "all"; }`,
  );
  expect(record).toMatchObject({ text: "all", isError: false });
  expect(other.text).toBe("calm");
  expect(shown).toBeLessThanOrEqual(600_000_000);
  if (shown < 600_000_000) await waitUntil(() => host.logs.some(({ plugin, text }) => plugin === "flood" && text.includes("were not shown")));
  expect(host.logs.filter(({ text }) => text.includes("lost"))).toEqual([]);
}, 60_000);

it("ends alone the plugin that asks for more than the host takes", async () => {
  const { record, other } = await beside(
    `async () => { for (let i = 0; i < 1_000; i++) { for (let k = 0; k < 20; k++) api.syntax.commands("y".repeat(1_000_000) + i).catch(() => {}); await pause(0); } return "all"; }`,
  );
  expect(record).toMatchObject({ isError: true, code: null });
  expect(record.text).toContain("too many things at once");
  expect(other.text).toBe("calm");
  expect(host.logs.map(({ plugin, text }) => [plugin, text])).toContainEqual(["flood", "strike 1: too_many_requests"]);
  expect((await host.call("calm", {})).text).toBe("calm");
}, 60_000);
