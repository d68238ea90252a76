import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testHost } from "../../core/testing/testing.ts";

it("the host lets its own spills and the project be read, and asks about the rest", async () => {
  const host = await testHost({
    answer: "deny",
    tools: [{ name: "twice", description: "Says much.", inputSchema: { type: "object" }, scopes: "none", run: () => "line\n".repeat(50_000) }],
  });
  await mkdir(join(host.folder, "src"));
  await writeFile(join(host.folder, "src/a.txt"), "hello\n");
  await writeFile(join(host.folder, "src/.env"), "KEY=1\n");
  const { spill } = await host.call("twice", {});
  expect(spill).not.toBeNull();
  expect(await host.call("read", { path: spill })).toMatchObject({ ran: true, isError: false });
  expect(await host.call("read", { path: "src/a.txt" })).toMatchObject({ ran: true, text: "1: hello" });
  expect(host.prompts).toEqual([]);
  for (const path of ["src/.env", join(host.folder, ".state/grants.json"), "/etc/passwd", `${spill}x`]) {
    expect(await host.call("read", { path }), path).toMatchObject({ ran: false, permission: { decision: "deny", source: "person" } });
  }
  expect(host.prompts).toHaveLength(4);
  await host.close();
});
