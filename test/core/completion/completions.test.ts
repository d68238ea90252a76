import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Completion } from "../../../core/completion/completion-types.ts";
import { type TestHost, type TestOptions, testHost } from "../../../core/testing/testing.ts";
import { waitUntil } from "../../support/wait-until.ts";

const hosts: TestHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function start(options: TestOptions = {}): Promise<TestHost> {
  const host = await testHost({ builtins: false, ...options });
  hosts.push(host);
  return host;
}

/** A plugin whose layer adds one source after a `#`. */
function sourcePlugin(name: string, complete: string, { trigger = "#", definition = "", setup = "" } = {}) {
  return {
    name: `${name}.ts`,
    source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: ${JSON.stringify(name)}, ${definition} }, (api) => {
  ${setup}
  api.setSlot("completion.sources", (prev, sources) =>
    prev([...sources, { trigger: ${JSON.stringify(trigger)}, name: "${name}.source", complete: ${complete} }]));
});`,
  };
}

async function files(t: TestHost, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(join(t.folder, path, ".."), { recursive: true });
    await writeFile(join(t.folder, path), "");
  }
}

/** Waits for isolates, which may take long to start on a busy machine. */
async function known(t: TestHost, sources: number): Promise<void> {
  await waitUntil(async () => (await t.completionSources()).length === sources + 1, 30_000);
}

/** Once all files are found. */
async function whole(t: TestHost, query: string): Promise<Completion> {
  let found = await t.complete({ trigger: "@", query });
  await waitUntil(async () => {
    if (!found.isWhole) found = await t.complete({ trigger: "@", query });
    return found.isWhole;
  }, 30_000);
  return found;
}

const texts = (completion: { rows: readonly { text: string }[] }) => completion.rows.map(({ text }) => text);

describe("complete() of files", { timeout: 60_000 }, () => {
  it("finds files and folders by what was typed, best first, without ignored ones", async () => {
    const t = await start();
    await files(t, "src/core/host.ts", "src/core/host-types.ts", "src/ghost/a.ts", "docs/host.md", "node_modules/x/host.ts", ".gitignore");
    await writeFile(join(t.folder, ".gitignore"), "node_modules\n.state\n");
    const found = await whole(t, "host");
    expect(texts(found).slice(0, 3).sort()).toEqual(["@docs/host.md", "@src/core/host-types.ts", "@src/core/host.ts"]);
    expect(texts(found)).toContain("@src/ghost/");
    expect(texts(found).join(" ")).not.toContain("node_modules");
    expect(texts(await whole(t, "sch-t"))).toEqual(["@src/core/host-types.ts"]);
    expect(found).toMatchObject({ isWhole: true, sources: [{ name: "files", plugin: "host", failure: null }] });
  });

  it("shows what is near without a query, and what lies in a folder that was named", async () => {
    const t = await start();
    await files(t, "a.ts", "src/b.ts", "src/deep/c.ts", "src/deep/er/d.ts");
    await writeFile(join(t.folder, ".gitignore"), ".state\n");
    expect(texts(await whole(t, "")).slice(0, 3)).toEqual(["@src/", "@.gitignore", "@a.ts"]);
    expect(texts(await whole(t, "src/")).slice(0, 3)).toEqual(["@src/deep/", "@src/b.ts", "@src/deep/er/"]);
  });

  it("puts paths with spaces in quotes, and leaves out names that hide something or that a rule denies", async () => {
    const t = await start({ rules: [{ tool: "read", pattern: "secret/**", effect: "deny" }] });
    await files(t, "my file.ts", "line\nfile.ts", "bell\u0007file.ts", "secret/file.ts", 'quo"file.ts');
    expect(texts(await whole(t, "file"))).toEqual(['@"my file.ts"']);
    expect(texts(await whole(t, '"my fi'))).toEqual(['@"my file.ts"']);
  });

  it("leaves out what a rule denies, however the path to it is typed", async () => {
    const t = await start({ rules: [{ tool: "read", pattern: "secret/**", effect: "deny" }] });
    await files(t, "secret/file.ts", "open/file.ts");
    await symlink(join(t.folder, "secret"), join(t.folder, "link"));
    for (const folder of ["./secret", `${t.folder}/secret`, "./open/../secret", "./link"]) expect(texts(await whole(t, `${folder}/`))).toEqual([]);
    expect(texts(await whole(t, "./open/f"))).toEqual(["@./open/file.ts"]);
  });

  it("goes along paths that begin with a slash, a dot or home, also where they are ignored", async () => {
    const t = await start();
    await files(t, "out/one.js", "out/.two", "three.js");
    await writeFile(join(t.folder, ".gitignore"), "out\n");
    await symlink(join(t.folder, "out"), join(t.folder, "link"));
    expect(texts(await whole(t, "./out/o"))).toEqual(["@./out/one.js"]);
    expect(texts(await whole(t, "./out/."))).toEqual(["@./out/.two"]);
    expect(texts(await whole(t, `${t.folder}/l`))).toEqual([`@${t.folder}/link/`]);
    expect(texts(await whole(t, "/no/such/folder/"))).toEqual([]);
    expect(texts(await whole(t, "~/no-such-name-there"))).toEqual([]);
  });

  it("finds a file that was made since, and outlives a folder that cannot be read", async () => {
    const t = await start();
    await files(t, "a.ts", "closed/b.ts");
    await chmod(join(t.folder, "closed"), 0);
    expect(texts(await whole(t, "a.ts"))).toEqual(["@a.ts"]);
    await files(t, "new-one.ts");
    await waitUntil(async () => texts(await whole(t, "new-one")).length === 1);
    await chmod(join(t.folder, "closed"), 0o755);
  });
});

describe("complete() of plugins' sources", { timeout: 60_000 }, () => {
  it("gives a source what was typed and where, and sorts what it answers by score", async () => {
    const t = await start({
      plugins: [
        sourcePlugin(
          "issues",
          `async (query, ctx) => [
            { text: "#" + query, label: ctx.trigger + ctx.sessionId.length + ctx.cwd + ctx.cancelled() },
            { text: "#first", description: "an issue", score: 5 },
            { text: "#last", score: -1 },
          ]`,
        ),
      ],
    });
    await known(t, 1);
    const { rows, sources } = await t.complete({ trigger: "#", query: "12", sessionId: "abc" });
    expect(rows).toEqual([
      { text: "#first", label: "#first", description: "an issue", score: 5, source: "issues.source", plugin: "issues" },
      { text: "#12", label: `#3${t.cwd}false`, description: null, score: 0, source: "issues.source", plugin: "issues" },
      { text: "#last", label: "#last", description: null, score: -1, source: "issues.source", plugin: "issues" },
    ]);
    expect(sources).toMatchObject([{ name: "issues.source", plugin: "issues", rows: 3, failure: null }]);
    expect(await t.completionSources()).toEqual([
      { trigger: "@", name: "files", plugin: "host" },
      { trigger: "#", name: "issues.source", plugin: "issues" },
    ]);
  });

  it("joins rows of a plugin after an @ with files, which win ties", async () => {
    const t = await start({
      plugins: [sourcePlugin("more", `() => [{ text: "@same" }, { text: "@high", score: 1 }, { text: "@a.ts" }]`, { trigger: "@" })],
    });
    await files(t, "a.ts");
    await known(t, 1);
    expect(texts(await whole(t, "a.ts"))).toEqual(["@high", "@a.ts", "@same"]);
  });

  it("passes over a source that throws, answers no list, hangs, or loops, and keeps the others", async () => {
    const t = await start({
      plugins: [
        sourcePlugin("good", `() => [{ text: "#good" }]`),
        sourcePlugin("throws", `() => { throw new Error("no issues today"); }`),
        sourcePlugin("wrong", `() => "text"`),
        sourcePlugin("hangs", `() => new Promise(() => {})`),
        sourcePlugin("loops", `() => { for (;;); }`),
      ],
    });
    await known(t, 5);
    const { rows, sources } = await t.complete({ trigger: "#", query: "" });
    expect(rows.map(({ text }) => text)).toEqual(["#good"]);
    expect(Object.fromEntries(sources.map(({ plugin, failure }) => [plugin, failure?.code ?? null]))).toEqual({
      good: null,
      throws: "plugin_threw",
      wrong: "wrong_answer",
      hangs: "window_overrun",
      loops: "slice_overrun",
    });
    await t.complete({ trigger: "#", query: "" });
    await waitUntil(() =>
      t.logs.some(({ plugin, text }) => plugin === "throws" && /source of completions throws.source failed: .*no issues today/.test(text)),
    );
    const said = t.logs.filter(({ plugin, text }) => plugin === "throws" && text.startsWith("Its source"));
    expect(said).toHaveLength(1);
  });

  it("asks again where the isolate of a source was made anew", async () => {
    const t = await start({
      plugins: [sourcePlugin("loops", `(query) => { while (query === "loop"); return [{ text: "#" + query }]; }`)],
    });
    await known(t, 1);
    expect(texts(await t.complete({ trigger: "#", query: "a" }))).toEqual(["#a"]);
    expect(texts(await t.complete({ trigger: "#", query: "loop" }))).toEqual([]);
    await waitUntil(async () => texts(await t.complete({ trigger: "#", query: "b" }))[0] === "#b");
  });

  it("cuts ten thousand items to the best, and leaves out what hides something", async () => {
    const t = await start({
      plugins: [
        sourcePlugin("many", `() => Array.from({ length: 10000 }, (_, i) => ({ text: "#" + i, score: i, label: "x".repeat(300) }))`),
        sourcePlugin(
          "odd",
          `() => [{ text: "!a\\u001b[2J" }, { text: "!b\\nc" }, { text: "!\\u202ed" }, { text: "" }, { text: "!" + "x".repeat(2000) }, 7, null, { label: "!e" },
                  { text: "!ok", label: "bell\\u0007 and\\nline" }, { text: "!n", score: NaN }, { text: "!f", score: "1" }]`,
          { trigger: "!" },
        ),
      ],
    });
    await known(t, 2);
    const many = await t.complete({ trigger: "#", query: "", limit: 3 });
    expect(many.rows.map(({ text, label }) => [text, label.length])).toEqual([
      ["#9999", 201],
      ["#9998", 201],
      ["#9997", 201],
    ]);
    const odd = await t.complete({ trigger: "!", query: "" });
    expect(odd.rows.map(({ text, label }) => [text, label])).toEqual([["!ok", "bell\\u{7} and\\nline"]]);
  });

  it("runs a source with its own plugin's grants alone", async () => {
    const reads = `async () => [{ text: "#" + (await api.fs.read("a.txt").catch((error) => error.code)) }]`;
    const t = await start({
      plugins: [
        sourcePlugin("reader", reads, { definition: `capabilities: { fs_read: ["a.txt"] }` }),
        sourcePlugin("other", reads, { definition: `capabilities: { fs_read: ["b.txt"] }`, trigger: "$" }),
        sourcePlugin("bare", `async () => [{ text: "#" + typeof api.fs }]`, { trigger: "%" }),
        sourcePlugin("caller", `async () => [{ text: "#" + (await api.tools.call("bash", {}).catch((error) => error.code)) }]`, { trigger: "&" }),
      ],
    });
    await writeFile(join(t.folder, "a.txt"), "granted");
    await known(t, 4);
    expect(texts(await t.complete({ trigger: "#", query: "" }))).toEqual(["#granted"]);
    expect(texts(await t.complete({ trigger: "$", query: "" }))).toEqual(["#not_granted"]);
    expect(texts(await t.complete({ trigger: "%", query: "" }))).toEqual(["#undefined"]);
    expect(texts(await t.complete({ trigger: "&", query: "" }))).toEqual(["#not_here"]);
  });

  it("redacts what sources answer", async () => {
    const t = await start({
      plugins: [
        {
          name: "hide.ts",
          source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "hide", steer: ["tool.*.output"] }, (api) => api.redact((text) => text.replaceAll("secret", "[gone]")));`,
        },
        sourcePlugin("issues", `() => [{ text: "#secret" }, { text: "#1", label: "a secret" }]`),
      ],
    });
    await known(t, 1);
    const { rows } = await t.complete({ trigger: "#", query: "" });
    expect(rows.map(({ text, label }) => [text, label])).toEqual([["#1", "a [gone]"]]);
  });

  it("lets a layer take sources away, and keeps the host's where one answers nonsense", async () => {
    const layer = (name: string, body: string) => ({
      name: `${name}.ts`,
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "${name}" }, (api) => api.setSlot("completion.sources", ${body}));`,
    });
    const without = await start({ plugins: [layer("without", "(prev, sources) => prev(sources.filter(({ name }) => name !== 'files'))")] });
    expect(await without.completionSources()).toEqual([]);
    const wrong = await start({
      plugins: [
        sourcePlugin("good", `() => [{ text: "#good" }]`),
        layer("text", "() => 'text'"),
        layer("objects", "() => [{ trigger: 1 }]"),
        layer("bare", "(prev, sources) => prev([...sources, { trigger: '#', name: 'x' }])"),
        layer("hangs", "(prev) => new Promise(() => {})"),
        layer(
          "names",
          "(prev, sources) => prev([...sources, ...['a', '/', 'ab', ' '].map((trigger) => ({ trigger, name: 'n' + trigger, complete: () => [] }))])",
        ),
      ],
    });
    await known(wrong, 1);
    expect(await wrong.completionSources()).toEqual([
      { trigger: "@", name: "files", plugin: "host" },
      { trigger: "#", name: "good.source", plugin: "good" },
    ]);
  });

  it("does not let a plugin speak for another one, or for the host", async () => {
    const t = await start({
      plugins: [
        sourcePlugin("other", `() => [{ text: "#other" }]`),
        {
          name: "claims.ts",
          source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "claims" }, (api) => api.setSlot("completion.sources", (prev, sources) => prev([
  ...sources, { trigger: "#", name: "files.too", plugin: "host" }, { trigger: "#", name: "theirs", plugin: "other" }, { trigger: "#", name: "nobody", plugin: "none" }])));`,
        },
      ],
    });
    await known(t, 4);
    const { rows, sources } = await t.complete({ trigger: "#", query: "" });
    expect(texts({ rows })).toEqual(["#other"]);
    expect(sources.map(({ name, failure }) => [name, failure?.code ?? null])).toEqual([
      ["files.too", "source_unknown"],
      ["theirs", "source_unknown"],
      ["nobody", "source_unknown"],
      ["other.source", null],
    ]);
  });

  it("answers after its patience with what there is, and tells the rest once", async () => {
    const t = await start({
      plugins: [
        sourcePlugin("quick", `() => [{ text: "#quick" }]`),
        sourcePlugin("slow", `() => new Promise((ok) => setTimeout(() => ok([{ text: "#slow" }]), 600))`),
      ],
    });
    await known(t, 2);
    const later = Promise.withResolvers<string[]>();
    const first = await t.complete({ trigger: "#", query: "", patienceMs: 200, onMore: (all) => later.resolve(texts(all)) });
    expect(first.isWhole).toBe(false);
    expect(texts(first)).not.toContain("#slow");
    expect((await later.promise).sort()).toEqual(["#quick", "#slow"]);
  });

  it("ends at once where more was typed, and tells the source", async () => {
    const t = await start({
      plugins: [
        sourcePlugin(
          "polls",
          `(query, ctx) => new Promise((ok) => {
            api.log.info("asked");
            const timer = setInterval(() => { if (ctx.cancelled()) { api.log.info("told"); clearInterval(timer); } }, 10);
          })`,
        ),
      ],
    });
    await known(t, 1);
    const stop = new AbortController();
    const asked = t.complete({ trigger: "#", query: "" }, stop.signal);
    await waitUntil(() => t.logs.some(({ text }) => text === "asked"));
    stop.abort();
    expect(await asked).toEqual({ rows: [], sources: [], isWhole: true });
    await waitUntil(() => t.logs.some(({ plugin, text }) => plugin === "polls" && text === "told"));
    expect(t.logs.filter(({ text }) => text.includes("failed"))).toEqual([]);
  });
});
