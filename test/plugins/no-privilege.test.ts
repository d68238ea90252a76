import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
  await cp(fileURLToPath(new URL("../../plugins", import.meta.url)), folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const copies = () => [join(folder, "bash/bash.ts"), join(folder, "read/read.ts")];

describe("a copy of the built-in pack", () => {
  it("does the same as the pack itself, loaded as anybody's plugins", async () => {
    const host = await testHost({ builtins: false, plugins: copies() });
    try {
      expect(host.tools().map(({ name }) => name)).toEqual(["bash", "read"]);
      await writeFile(join(host.folder, "a.txt"), "a\n");
      expect(await host.call("bash", { command: "cat a.txt; exit 2" })).toMatchObject({ text: "a\nExit code: 2" });
      expect(await host.call("read", { path: "a.txt" })).toMatchObject({ text: "1: a" });
    } finally {
      await host.close();
    }
  });

  it("can do nothing without its grant", async () => {
    const host = await testHost({ builtins: false, plugins: copies(), grant: async () => ({ granted: {}, steer: [] }) });
    try {
      for (const [tool, input] of [
        ["bash", { command: "true" }],
        ["read", { path: "a.txt" }],
      ] as const)
        expect(await host.call(tool, input)).toMatchObject({ isError: true });
    } finally {
      await host.close();
    }
  });
});
