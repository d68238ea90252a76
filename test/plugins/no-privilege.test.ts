import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Person } from "../../core/person.ts";
import { packSources } from "../../core/plugins/discover.ts";
import { driver, fakes, prepare, samples } from "./samples.ts";

const person: Person = { ask: async ({ options }) => ({ chosen: options.slice(0, 1).map(({ label }) => label) }) };

let elsewhere: string;
let pack: TestHost;
let copy: TestHost;
beforeAll(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), "mortise-test-"));
  await cp(fileURLToPath(new URL("../../plugins", import.meta.url)), elsewhere, { recursive: true });
  // What a plugin imports has to be where it lies, as for anybody's.
  await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(elsewhere, "node_modules"));
  pack = await testHost({ person, fakes });
  copy = await testHost({ person, fakes, builtins: false, plugins: await packSources(elsewhere) });
  for (const host of [pack, copy]) {
    host.agent.drive({ sessionId: host.sessionId }, driver);
    await prepare(host.folder);
  }
});
afterAll(async () => {
  await Promise.allSettled([pack?.close(), copy?.close()]);
  await rm(elsewhere, { recursive: true, force: true });
});

describe("a copy of the built-in pack, loaded as anybody's plugins", () => {
  it("has the same tools", () => {
    const known = (host: TestHost) => host.tools().map(({ plugin: _, ...tool }) => tool);
    expect(known(copy)).toEqual(known(pack));
    expect(copy.plugins().map(({ origin }) => origin)).not.toContain("builtin");
  });

  it.each(Object.keys(samples))("does the same as the pack itself: %s", async (name) => {
    const [ours, theirs] = await Promise.all([pack, copy].map((host) => host.call(name, samples[name]?.input)));
    const steady = (text = "", folder = "") => text.replaceAll(folder, "/folder").replace(/\d+(\.\d+)? m?s\b/g, "N ms");
    expect(steady(theirs?.text, copy.folder)).toBe(steady(ours?.text, pack.folder));
    expect(theirs).toMatchObject({ ran: true, isError: false });
  });
});
