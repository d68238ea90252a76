import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { grantsPath } from "../../../core/grants/grant-store.ts";
import { type AskGrant, createGrants, type GrantsOptions } from "../../../core/grants/grants.ts";
import type { GrantQuestion } from "../../../core/host-types.ts";
import { freshHome } from "../config/home.ts";
import { builtPlugin } from "../plugins/built.ts";

const asking = builtPlugin({ capabilities: { run: true, fs_read: ["src/**", "docs/**"] }, steer: ["tool.bash.input"] });
const all = { granted: { run: true, fs_read: ["src/**", "docs/**"] }, steer: ["tool.bash.input"] };
const nothing = { granted: {}, steer: [] };

/** A person who says the same to everything, and what they were asked. */
function person(answer: Awaited<ReturnType<AskGrant>> | "all") {
  const asked: GrantQuestion[] = [];
  const ask: AskGrant = async (question) => {
    asked.push(question);
    return answer === "all" ? { granted: question.asks, steer: question.steer } : answer;
  };
  return { asked, ask };
}

async function setUp() {
  const home = await freshHome();
  return {
    ...home,
    own: (name: string) => join(home.folders.config, "plugins", name),
    grants: (options: Partial<GrantsOptions> = {}) => createGrants({ folders: home.folders, ...options }),
  };
}

describe("grantFor()", () => {
  it("grants built-in, named and embedded plugins what they ask for, and not a word more", async () => {
    const { grants } = await setUp();
    for (const origin of ["builtin", "command_line", "embedded"] as const) {
      expect(await grants().grantFor(asking, origin)).toEqual(all);
      expect(await grants().grantFor(builtPlugin({}), origin)).toEqual(nothing);
    }
  });

  it("grants a named plugin nothing where that was asked for, and an embedded one what the program says", async () => {
    const { grants } = await setUp();
    expect(await grants({ noGrant: true }).grantFor(asking, "command_line")).toMatchObject({ ...nothing, problem: { code: "not_granted" } });
    const { ask } = person({ granted: { run: true, net: true, fs_read: ["src/**", "/etc/**"] }, steer: ["tool.*.output"] });
    expect(await grants({ embedded: ask }).grantFor(asking, "embedded")).toMatchObject({ granted: { run: true, fs_read: ["src/**"] }, steer: [] });
    expect(await grants({ embedded: () => Promise.reject(new Error("no")) }).grantFor(asking, "embedded")).toMatchObject(nothing);
  });

  it("grants nothing where nobody is there to ask, and says how to", async () => {
    const { grants } = await setUp();
    for (const origin of ["user", "project"] as const) {
      const standing = await grants().grantFor(asking, origin);
      expect(standing).toMatchObject(nothing);
      expect(standing.problem?.message).toContain("mortise grant a");
    }
  });

  it("asks once, keeps the answer privately, and says what a yes means", async () => {
    const { grants, folders } = await setUp();
    const { asked, ask } = person("all");
    expect(await grants({ ask }).grantFor(asking, "user")).toEqual(all);
    expect(await grants({ ask }).grantFor(asking, "user")).toEqual(all);
    expect(await grants().grantFor(asking, "user")).toEqual(all);
    expect(asked).toMatchObject([{ plugin: "a", path: "/plugins/a.ts", origin: "user", reason: "new" }]);
    expect(asked[0]?.consent).toHaveLength(3);
    expect(statSync(grantsPath(folders)).mode & 0o777).toBe(0o600);
  });

  it("keeps a no too, and does not ask about it again", async () => {
    const { grants } = await setUp();
    const { asked, ask } = person({ granted: { fs_read: ["src/**"] }, steer: [] });
    for (let i = 0; i < 2; i++)
      expect(await grants({ ask }).grantFor(asking, "user")).toMatchObject({ granted: { fs_read: ["src/**"] }, problem: { code: "not_granted" } });
    expect(asked).toHaveLength(1);
  });

  it("asks again when a plugin asks for more; until then it has what it had", async () => {
    const { grants, own } = await setUp();
    const { asked, ask } = person("all");
    await grants({ ask }).grantFor({ ...asking, path: own("a.ts") }, "user");
    const more = builtPlugin({ path: own("a.ts"), capabilities: { run: true, net: ["example.com"] }, sourceHash: "2" });
    expect(await grants().grantFor(more, "user")).toMatchObject({ granted: { run: true }, problem: { code: "not_granted" } });
    expect(await grants({ ask }).grantFor(more, "user")).toEqual({ granted: { run: true, net: ["example.com"] }, steer: [] });
    expect(asked.map(({ reason }) => reason)).toEqual(["new", "grown"]);
  });

  it.each([
    ["all of a capability it had a part of", { fs_read: true as const }],
    ["another part of it", { fs_read: ["src/**", "~/**"] }],
  ])("takes %s for more", async (_name, capabilities) => {
    const { grants } = await setUp();
    await grants({ ask: person("all").ask }).grantFor(builtPlugin({ capabilities: { fs_read: ["src/**"] } }), "user");
    const { asked, ask } = person(nothing);
    expect(await grants({ ask }).grantFor(builtPlugin({ capabilities }), "user")).toMatchObject({ granted: {} });
    expect(asked).toHaveLength(1);
  });

  it("does not take less for more", async () => {
    const { grants } = await setUp();
    const { asked, ask } = person("all");
    await grants({ ask }).grantFor(builtPlugin({ capabilities: { fs_read: true } }), "user");
    expect(await grants({ ask }).grantFor(builtPlugin({ capabilities: { fs_read: ["src/**"] } }), "user")).toMatchObject({
      granted: { fs_read: ["src/**"] },
    });
    expect(asked).toHaveLength(1);
  });

  it("asks again when the content changes, but for what lies in the user's own folder as a whole", async () => {
    const { grants, own } = await setUp();
    const elsewhere = { path: "/elsewhere/b.ts", hash: "1" };
    for (const [origin, path, inputs, times] of [
      ["user", own("a.ts"), [{ path: own("a.ts"), hash: "1" }], 1],
      ["user", own("b.ts"), [{ path: own("b.ts"), hash: "1" }, elsewhere], 2],
      ["user", "/elsewhere/a.ts", [], 2],
      ["user", own("../../config-evil/a.ts"), [], 2],
      ["project", "/project/a.ts", [], 2],
    ] as const) {
      const { asked, ask } = person("all");
      const plugin = (sourceHash: string) => ({ ...asking, path, inputs, sourceHash });
      await grants({ ask }).grantFor(plugin("1"), origin);
      expect(await grants({ ask }).grantFor(plugin("2"), origin)).toEqual(all);
      expect([path, asked.length]).toEqual([path, times]);
    }
  });

  it("holds a grant to the name and the file it was given to", async () => {
    const { grants } = await setUp();
    await grants({ ask: person("all").ask }).grantFor(asking, "user");
    expect(await grants().grantFor({ ...asking, path: "/elsewhere/a.ts" }, "user")).toMatchObject(nothing);
    expect(await grants().grantFor(builtPlugin({ ...asking.manifest, name: "b" }), "user")).toMatchObject(nothing);
  });

  it("takes a line of the config for a yes, as far as it goes", async () => {
    const { grants } = await setUp();
    expect(await grants({ lines: { a: true } }).grantFor(asking, "user")).toEqual(all);
    expect(await grants({ lines: { a: { run: true, net: true, steer: ["tool.*.output"] } } }).grantFor(asking, "user")).toMatchObject({
      granted: { run: true },
      steer: [],
    });
    expect(await grants({ lines: { b: true } }).grantFor(asking, "user")).toMatchObject(nothing);
  });

  it("knows what a plugin had and lost: revoked, or its content changed", async () => {
    const { grants } = await setUp();
    const plugin = { ...asking, path: "/project/a.ts" };
    await grants({ ask: person("all").ask }).grantFor(plugin, "project");
    const lost = { capabilities: all.granted, steer: all.steer };
    expect(await grants().grantFor({ ...plugin, sourceHash: "2" }, "project")).toMatchObject({ ...nothing, lost });
    expect(await grants().revoke("a")).toBe(1);
    expect(await grants().grantFor(plugin, "project")).toMatchObject({ ...nothing, lost });
    await grants().grant(plugin);
    expect(await grants().grantFor(plugin, "project")).toEqual(all);
  });

  it("grants nothing by a store that is broken, and leaves it as it is", async () => {
    const { grants, write, folders } = await setUp();
    write("state/grants.json", '{ "version": 1, "grants": [{ "plugin": "a" }] }');
    const { ask } = person("all");
    expect(await grants({ ask }).grantFor(asking, "user")).toMatchObject({
      ...nothing,
      lost: { steer: all.steer },
      problem: { code: "not_granted" },
    });
    await expect(grants().grant(asking)).rejects.toMatchObject({ code: "file_broken" });
    await expect(grants().revoke("a")).rejects.toMatchObject({ code: "file_broken" });
    expect(readFileSync(grantsPath(folders), "utf8")).toContain('{ "plugin": "a" }');
  });

  it("keeps nothing of a question that was turned away from, and asks it again", async () => {
    const { grants } = await setUp();
    for (const ask of [async () => undefined, () => Promise.reject(new Error("closed"))]) {
      const standing = await grants({ ask }).grantFor(asking, "user");
      expect(standing).toMatchObject({ ...nothing, problem: { code: "not_granted" } });
      expect(standing.lost).toBeUndefined();
    }
    expect(await grants().list()).toEqual([]);
    expect(await grants({ ask: person("all").ask }).grantFor(asking, "user")).toEqual(all);
  });

  it("loses nothing where several answers are stored at once", async () => {
    const { grants } = await setUp();
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`);
    await Promise.all(names.map((name) => grants().grant(builtPlugin({ name, capabilities: { run: true } }))));
    expect((await grants().list()).map(({ plugin }) => plugin).sort()).toEqual(names.sort());
  });
});
