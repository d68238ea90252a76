import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ModelMessage } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, scriptedRules } from "../../../../../core/models/embedded/scripted/scripted.ts";
import { type TestHost, testHost } from "../../../../../core/testing/testing.ts";
import { createFakeClock } from "../../../../support/fake-clock.ts";
import { ask, partsOf, user } from "../../asking.ts";

const all = ["bash", "edit", "glob", "grep", "index", "multiedit", "read", "task", "todo_write"];

describe("createScripted() with real tools", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await testHost();
  });
  afterAll(() => host.close());
  beforeEach(async () => {
    const { rm, readdir } = await import("node:fs/promises");
    for (const name of await readdir(host.folder)) if (name !== ".state") await rm(join(host.folder, name), { recursive: true });
  });

  const write = async (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(host.folder, path)), { recursive: true });
      await writeFile(join(host.folder, path), text);
    }
  };

  /** Asks, calls what it calls, and asks again, until it says something without calling. */
  const run = async (text: string, tools: readonly string[] = all) => {
    const model = createScripted();
    const messages: ModelMessage[] = [user(text)];
    const called: string[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const heard = await ask(model, { messages, tools });
      expect(heard.errors).toEqual([]);
      if (heard.calls.length === 0) return { text: heard.text, called };
      const ids = heard.calls.map((_, at) => `call-${turn}-${at}`);
      messages.push({
        role: "assistant",
        content: heard.calls.map(({ tool, input }, at) => ({ type: "tool-call", toolCallId: ids[at] ?? "", toolName: tool, input })),
      });
      for (const [at, { tool, input }] of heard.calls.entries()) {
        const record = await host.call(tool, input);
        called.push(tool);
        const output = { type: record.isError ? ("error-text" as const) : ("text" as const), value: record.text };
        messages.push({ role: "tool", content: [{ type: "tool-result", toolCallId: ids[at] ?? "", toolName: tool, output }] });
      }
    }
    throw new Error("It never ends");
  };

  it("counts files by language, ending and folder", async () => {
    await write({ "a.ts": "", "src/b.ts": "", "src/c.tsx": "", "src/d.py": "", "README.md": "" });
    expect((await run("how many TypeScript files are here?")).text).toContain("**3 TypeScript files** here");
    expect((await run("How many .md files are there?")).text).toContain("**1 `.md` file**");
    expect((await run("how many files are in src?")).text).toContain("**3 files** in `src`");
    expect((await run("count the python files")).text).toContain("**1 python file**");
    expect((await run("how many Rust files are here?")).text).toContain("no Rust files");
  });

  it("counts more files than the host shows", async () => {
    await write(Object.fromEntries(Array.from({ length: 2_300 }, (_, i) => [`many/f${i}.txt`, ""])));
    expect((await run("how many txt files are here?")).text).toContain("**2300 `.txt` files**");
  });

  it("lists files", async () => {
    await write({ "a.md": "", "docs/b.md": "", "c.ts": "" });
    const { text, called } = await run("List the Markdown files");
    expect(called).toEqual(["glob"]);
    expect(text).toContain("`docs/b.md`");
    expect(text).not.toContain("c.ts");
    expect((await run("find all *.ts files")).text).toContain("`c.ts`");
    expect((await run("where is b.md?")).text).toContain("`docs/b.md`");
  });

  it("explains a file by its outline and its first words, also one in a folder below", async () => {
    await write({
      "src/sum.ts":
        '/** Adds what is given. */\nimport { x } from "./x.ts";\nexport function sum(a: number, b: number): number {\n  return a + b;\n}\n',
    });
    const { text, called } = await run("Explain src/sum.ts");
    expect(called).toEqual(["index", "read"]);
    expect(text).toContain("5 lines");
    expect(text).toContain("Adds what is given.");
    expect(text).toContain("sum(a: number, b: number)");
    expect((await run("what does `sum.ts` do?")).text).toContain("`src/sum.ts`");
    expect((await run("explain nowhere.ts")).text).toContain("no file `nowhere.ts`");
  });

  it("finds marks of open work", async () => {
    await write({ "a.ts": `// ${"TO"}DO: begin\nlet x;\n`, "b.ts": "let y;\n" });
    expect((await run("Find the TODOs")).text).toMatch(/1 matching line in 1 file[\s\S]*begin/);
    await write({ "a.ts": "" });
    expect((await run("are there any todos?")).text).toContain("no marks");
  });

  it("runs the tests and reports what failed", async () => {
    await write({ Makefile: "test:\n\t@echo ok 1 works\n\t@echo 'not ok 2 breaks'\n\t@exit 3\n" });
    const { text, called } = await run("run the tests and report failures");
    expect(called).toEqual(["glob", "bash"]);
    expect(text).toContain("failed");
    expect(text).toContain("not ok 2 breaks");
    expect(text).not.toContain("ok 1 works\n");
    expect((await run("run the tests with `echo fine`")).text).toMatch(/passed[\s\S]*fine/);
    await write({ Makefile: "" });
  });

  it("says that it knows no tests where nothing tells", async () => {
    expect((await run("run the tests")).text).toContain("do not know");
  });

  it("renames a symbol everywhere, and nothing that only holds its letters", async () => {
    await write({
      "a.ts": "foo\nexport const foo = 1;\nfoobar();\nfoo();\n  foo();\nreturn foo\nmyfoo(foo, foo)\n",
      "src/b.ts": 'import { foo } from "../a.ts";\nfoo();\n',
    });
    const { text, called } = await run("rename foo to total");
    expect(called).toEqual(["grep", "multiedit", "multiedit", "grep"]);
    expect(await readFile(join(host.folder, "a.ts"), "utf8")).toBe(
      "total\nexport const total = 1;\nfoobar();\ntotal();\n  total();\nreturn total\nmyfoo(total, total)\n",
    );
    expect(await readFile(join(host.folder, "src/b.ts"), "utf8")).toBe('import { total } from "../a.ts";\ntotal();\n');
    expect(text).toContain("None is left");
    expect((await run("rename nothere to x")).text).toContain("nowhere");
  });

  it("renames by single edits where that is all there is", async () => {
    await write({ "one.ts": "let one = 1;\nlet two = one;\n" });
    expect((await run("rename `one` to `first` in one.ts", ["grep", "edit"])).called).toEqual(["grep", "edit", "edit", "grep"]);
    expect(await readFile(join(host.folder, "one.ts"), "utf8")).toBe("let first = 1;\nlet two = first;\n");
  });

  it("writes a plan down", async () => {
    const { text, called } = await run("make a plan for a login page");
    expect(called).toEqual(["todo_write"]);
    expect(text).toContain("login page");
  });

  it("tells what a tool says when it fails", async () => {
    const { text } = await run("how many files are in nowhere?");
    expect(text).toMatch(/`glob` failed[\s\S]*nowhere/);
  });
});

describe("createScripted()", () => {
  it("says that it is no model, how to add one, and what it can do, where no rule fits", async () => {
    const { text, calls } = await ask(createScripted(), { messages: [user("Write me a poem")], tools: ["glob", "grep"] });
    expect(calls).toEqual([]);
    expect(text).toContain("no language model");
    expect(text.match(/--model/g)).toHaveLength(3);
    expect(text).toContain("How many TypeScript files");
    expect(text).not.toContain("Rename");
  });

  it("calls no tool that it is not offered", async () => {
    for (const { example } of scriptedRules) {
      expect((await ask(createScripted(), { messages: [user(example)] })).calls, example).toEqual([]);
    }
  });

  it.each(scriptedRules.map(({ name, example }) => [name, example] as const))("answers the example of %s by itself", async (name, example) => {
    const asked = { text: example, done: [], tools: new Set(all) };
    expect(scriptedRules.find((rule) => rule.answer(asked) !== undefined)?.name).toBe(name);
  });

  it("looks at the last words of the user alone", async () => {
    const messages: ModelMessage[] = [user("how many files are here?"), { role: "assistant", content: "12" }, user("and a poem?")];
    expect((await ask(createScripted(), { messages, tools: all })).calls).toEqual([]);
  });

  it("tells what the user asked where a summary is wanted", async () => {
    const messages: ModelMessage[] = [user("how many files are here?"), { role: "assistant", content: "12" }, user("Summarise the conversation.")];
    expect((await ask(createScripted(), { messages })).text).toContain("- how many files are here?");
  });

  it("streams word by word, and says a fixed number of tokens", async () => {
    const { stream } = await createScripted().doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] });
    const parts = await partsOf(stream);
    expect(parts.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(50);
    expect(parts.at(-1)).toMatchObject({ type: "finish", usage: { inputTokens: { total: 100 }, outputTokens: { total: 20 } } });
  });

  it("ends in the middle of a word's pause when it is aborted", async () => {
    const clock = createFakeClock();
    const stop = new AbortController();
    const { stream } = await createScripted({ wordDelayMs: 100, clock }).doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      abortSignal: stop.signal,
    });
    const reading = partsOf(stream);
    await clock.advance(250);
    stop.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    expect(clock.waiting()).toBe(0);
    await expect(createScripted().doStream({ prompt: [], abortSignal: stop.signal })).rejects.toThrow("enough");
  });

  it("answers as a whole too", async () => {
    const answer = await createScripted().doGenerate({ prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] });
    expect(answer).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("no language model") }],
      finishReason: { unified: "stop" },
    });
  });
});
