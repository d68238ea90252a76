import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, type TestOptions, testHost } from "mortise/testing";
import { afterEach, describe, expect, it } from "vitest";
import { echo, fails, named } from "../../support/native-tools.ts";
import { waitUntil } from "../../support/wait-until.ts";

let host: TestHost | undefined;
const start = async (options: TestOptions = {}) => {
  host = await testHost({ tools: [echo, fails], ...options });
  return host;
};
afterEach(async () => {
  await host?.close();
  host = undefined;
});

const batch = (test: TestHost, tool_calls: unknown, request = {}) => test.call("batch", { tool_calls }, request);
const sections = (text: string) => text.split(/\n\n(?=## )/).length;

describe("batch", () => {
  it("gives a section for each call in order, and how many succeeded", async () => {
    const t = await start();
    const record = await batch(t, [{ tool: "echo", parameters: { a: 1 } }, { tool: "fails" }, { tool: "functions.echo", parameters: {} }]);
    expect(record).toMatchObject({ isError: false, ran: true, code: null });
    expect(record.text).toBe('## echo\n{"a":1}\n\n## fails\n[ERROR] It did not work.\n\n## echo\n{}\n\n2 of 3 calls succeeded, 1 failed.');
    expect((await batch(t, [{ tool: "echo" }])).text).toBe("## echo\n{}\n\nThe call succeeded.");
  });

  it("takes parameters in `parameters`, beside `tool`, in both, and as JSON text, and gives the tool the same", async () => {
    const t = await start();
    const forms = [
      { tool: "echo", parameters: { path: "a", limit: 3 } },
      { tool: "echo", path: "a", limit: 3 },
      { tool: "echo", parameters: { path: "a" }, limit: 3 },
      { tool: "echo", parameters: '{"path": "a", "limit": 3}' },
    ];
    for (const calls of [forms, JSON.stringify(forms)]) {
      expect((await batch(t, calls)).text.match(/\{.*\}/g)).toEqual(Array(4).fill('{"path":"a","limit":3}'));
    }
    expect((await t.call("batch", { tool_calls: forms[0] })).text).toContain("The call succeeded.");
  });

  it("runs nothing where one entry is wrong", async () => {
    let ran = 0;
    const t = await start({ tools: [named("counts", () => String(++ran))] });
    const good = { tool: "counts" };
    for (const [calls, names] of [
      [[good, { tool: "counts", parameters: { path: "a" }, path: "b" }], "tool_calls[1]: path"],
      [[good, { parameters: {} }], "tool_calls[1].tool"],
      [[good, { tool: "" }], "tool_calls[1].tool"],
      [[good, { tool: 3 }], "tool_calls[1].tool"],
      [[good, { tool: "counts", parameters: "prose" }], "tool_calls[1].parameters"],
      [[good, { tool: "counts", parameters: [1] }], "tool_calls[1].parameters"],
      [[good, null], "tool_calls[1]"],
      [[], "tool_calls is empty"],
      ["prose", "tool_calls"],
      [undefined, "tool_calls"],
    ] as const) {
      const record = await batch(t, calls);
      expect(record, JSON.stringify(calls)).toMatchObject({ isError: true });
      expect(record.text).toContain(names);
    }
    expect(ran).toBe(0);
  });

  it("runs 25 of 30, and says of the others that they were too many", async () => {
    let ran = 0;
    const t = await start({ tools: [named("counts", () => String(++ran))] });
    const { text } = await batch(t, Array(30).fill({ tool: "counts" }));
    expect(ran).toBe(25);
    expect(sections(text)).toBe(30);
    expect(text.match(/^\[ERROR\] not run: a batch takes 25 calls at most/gm)).toHaveLength(5);
    expect(text).toMatch(/25 of 30 calls succeeded, 5 failed\.$/);
    const many = await batch(t, Array(10_000).fill({ tool: "counts" }));
    expect(ran).toBe(50);
    expect(many.text).toContain("[ERROR] 9950 more calls were not run.");
    expect(many.text.length).toBeLessThan(20_000);
  });

  it("runs calls at the same time and keeps their order", async () => {
    const open: (() => void)[] = [];
    const waits = named("waits", (input) => {
      if (open.length === 2) for (const go of open) go();
      else return new Promise((resolve) => open.push(() => resolve(String(input.n))));
      return String(input.n);
    });
    const t = await start({ tools: [waits] });
    const { text } = await batch(
      t,
      [1, 2, 3].map((n) => ({ tool: "waits", n })),
    );
    expect(text).toBe("## waits\n1\n\n## waits\n2\n\n## waits\n3\n\nAll 3 calls succeeded.");
  });

  it("refuses a batch in a batch without running it, and tells of tools that are not there", async () => {
    const t = await start();
    const record = await batch(t, [
      { tool: "batch", tool_calls: [{ tool: "echo" }] },
      { tool: "functions.batch", parameters: {} },
      { tool: "ecko" },
      { tool: "__proto__" },
      { tool: "constructor" },
      { tool: `x\n## echo\n${"y".repeat(1_000_000)}` },
    ]);
    expect(record.text).toMatch(/^## batch\n\[ERROR\] A batch cannot be run inside a batch/);
    expect(record.text).toContain('## ecko\n[ERROR] No tool has this name: "ecko"; did you mean "echo"?');
    expect(record.text).toContain("## __proto__\n[ERROR] No tool has this name");
    expect(sections(record.text)).toBe(6);
    expect(record.text.length).toBeLessThan(10_000);
    expect(record.text).toMatch(/0 of 6 calls succeeded, 6 failed\.$/);
  });

  it("lets no name of a parameter reach a prototype", async () => {
    const t = await start();
    const calls = JSON.parse(
      '[{"tool":"echo","__proto__":{"bad":1},"constructor":{"prototype":{"bad":1}}},{"tool":"echo","parameters":{"__proto__":{"bad":1},"toString":1}}]',
    );
    const { text } = await batch(t, calls);
    expect(text).toMatch(/All 2 calls succeeded\.$/);
    expect(text).toContain('"toString":1');
    expect(({} as Record<string, unknown>).bad).toBeUndefined();
  });

  it("judges, prompts and denies each call as its own", async () => {
    const t = await start({
      tools: [],
      answer: ({ scopes }) => ({ decision: scopes.some(({ text }) => text.includes("two")) ? "deny" : "allow" }),
      rules: [{ tool: "bash", pattern: "echo one", effect: "allow" }],
      plugins: [
        {
          name: "judge",
          source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "judge", capabilities: { run: true } }, (api) => {
  api.judge("tool.bash.input", ({ command }) => (command.includes("four") ? deny("Never four.") : undefined));
});`,
        },
      ],
    });
    const { text, toolId } = await batch(
      t,
      ["one", "touch two", "touch three", "four"].map((word) => ({ tool: "bash", command: word.includes(" ") ? word : `echo ${word}` })),
    );
    expect(t.prompts.map(({ scopes }) => scopes.map((scope) => scope.text))).toEqual([["touch two"], ["touch three"]]);
    expect(t.prompts.map(({ parent }) => parent)).toEqual(Array(2).fill({ tool: "batch", toolId }));
    expect(text).toContain("## bash\none\n");
    expect(text).toContain("[ERROR] Never four.");
    expect(await stat(join(t.folder, "three")).then(() => true)).toBe(true);
    await expect(stat(join(t.folder, "two"))).rejects.toThrow();
    expect(text).toMatch(/2 of 4 calls succeeded, 2 failed\.$/);
  });

  it("holds calls to the audience of its caller", async () => {
    const t = await start({ tools: [named("secret", () => "seen", { audiences: ["main"] }), echo] });
    const { text } = await batch(t, [{ tool: "secret" }, { tool: "echo" }], { audience: "research" });
    expect(text).toContain("## secret\n[ERROR] This tool is not offered to the caller");
    expect(text).not.toContain("seen");
    expect(await batch(t, [{ tool: "echo" }], { audience: "code" })).toMatchObject({ code: "not_in_audience" });
  });

  it("redacts what each call gives", async () => {
    const t = await start({
      plugins: [
        {
          name: "hides",
          source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "hides", steer: ["tool.*.output"] }, (api) => { api.redact((text) => text.replaceAll("hunter2", "[redacted]")); });`,
        },
      ],
    });
    const record = await batch(t, [{ tool: "echo", text: "hunter2" }, { tool: "hunter2" }]);
    expect(JSON.stringify(record)).not.toContain("hunter2");
    expect(record.text).toContain("[redacted]");
  });

  it("keeps what has ended where it is cancelled, and says so of the others", async () => {
    const stop = new AbortController();
    const t: TestHost = await start({
      tools: [
        echo,
        named("stubborn", () => new Promise<string>(() => {})),
        named("cancels", async () => {
          await waitUntil(() => existsSync(join(t.folder, "started")));
          setTimeout(() => stop.abort(), 100);
          return "done";
        }),
      ],
    });
    const started = performance.now();
    const record = await batch(
      t,
      [
        { tool: "echo", a: 1 },
        { tool: "stubborn" },
        { tool: "bash", command: "trap '' TERM; echo early; touch started; sleep 30" },
        { tool: "cancels" },
      ],
      {
        signal: stop.signal,
      },
    );
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(record.code).toBe("cancelled");
    expect(record.text).toContain('## echo\n{"a":1}');
    expect(record.text).toContain("## stubborn\n[ERROR] cancelled");
    expect(record.text).toMatch(/## bash\n\[ERROR\] cancelled\nearly/);
    expect(record.text).toContain("## cancels\ndone");
    expect(record.text).toMatch(/2 of 4 calls succeeded, 2 failed\.$/);
  });

  it("tells each call of the time that is left to the batch", async () => {
    const { text, code } = await batch(await start(), [{ tool: "bash", command: "echo begun; sleep 30" }, { tool: "echo" }], { timeoutMs: 2_000 });
    expect(code).toBe("deadline_passed");
    const [, seconds] = /begun\n\[timed out after ([\d.]+) s; the output above is partial\]/.exec(text) ?? [];
    expect(Number(seconds)).toBeLessThanOrEqual(2);
    expect(text).toContain("## echo\n{}");
  });

  it("is not kept by a plugin that spins, never answers or fails", async () => {
    const t = await start({
      plugins: [
        {
          name: "wild",
          source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "wild" }, (api) => {
  const tool = (name, run, timeoutMs = 60_000) => api.registerTool({ name, description: "x", input: { type: "object" }, capability: "env", scopes: "none", timeoutMs, run });
  tool("spins", () => { for (;;) {} });
  tool("never", () => new Promise(() => {}), 1_000);
  tool("throws", () => { throw new Error("broken"); });
});`,
        },
      ],
    });
    await writeFile(join(t.folder, "a.txt"), "text");
    const { text } = await batch(t, [{ tool: "never" }, { tool: "read", path: "a.txt" }, { tool: "throws" }, { tool: "spins" }, { tool: "echo" }]);
    expect(text).toContain("## read\n1: text");
    expect(text).toContain("## echo\n{}");
    expect(text.match(/\[ERROR\]/g)).toHaveLength(3);
    expect(text).toMatch(/2 of 5 calls succeeded, 3 failed\.$/);
  });

  it("stops the clock of the whole while a person is asked about one of them", async () => {
    const t = await start({
      tools: [named("asks", () => "asked", { scopes: () => ({ scopes: [{ kind: "other", text: "x" }] }) })],
      answer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 2_500));
        return { decision: "allow" };
      },
    });
    const record = await batch(t, [{ tool: "asks" }], { timeoutMs: 2_000 });
    expect(record).toMatchObject({ code: null });
    expect(record.text).toContain("The call succeeded.");
  });

  it("gives each its share of what is shown, and keeps the rest in files", async () => {
    const long = named("long", (input) => Array.from({ length: 4_000 }, (_, i) => `${input.n} line ${i}${" ".repeat(20)}`).join("\n"));
    const t = await start({ tools: [long, echo] });
    const { text, cut } = await batch(t, [...Array.from({ length: 9 }, (_, n) => ({ tool: "long", n })), { tool: "echo", small: true }]);
    expect(cut).toBeNull();
    expect(Buffer.byteLength(text)).toBeGreaterThan(30_000);
    for (let n = 0; n < 9; n++) {
      expect(text).toContain(`## long\n${n} line 0 `);
      expect(text).toContain(`\n${n} line 3999 `);
    }
    expect(text).toContain('## echo\n{"small":true}');
    const files = text.match(/(?<=the whole text is in ).*?(?=\])/g) ?? [];
    expect(new Set(files).size).toBe(9);
    expect((await t.call("read", { path: files[0] })).text).toContain("0 line 0");
  });

  it("gives full texts where the caller wants them whole, within what one result may hold", async () => {
    const wide = named("wide", () => "w".repeat(8_000_000));
    const t = await start({ tools: [wide, named("mid", () => "m\n".repeat(60_000))] });
    const whole = await batch(t, [{ tool: "mid" }], { outputMode: "full" });
    expect(whole.text.length).toBeGreaterThan(119_000);
    const { text, isError } = await batch(t, Array(25).fill({ tool: "wide" }), { outputMode: "full" });
    expect(isError).toBe(false);
    expect(sections(text)).toBe(25);
    expect(text.length).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(text).toMatch(/All 25 calls succeeded\.$/);
  }, 60_000);

  it("takes what is huge or deep as any other input", async () => {
    const t = await start();
    const nested = (levels: number): unknown => (levels === 0 ? {} : { deep: nested(levels - 1) });
    const record = await batch(t, [
      { tool: "echo", text: "x".repeat(1_000_000) },
      { tool: "echo", deep: nested(150) },
      { tool: "echo", ok: 1 },
    ]);
    expect(record.text).toContain('{"ok":1}');
    expect(sections(record.text)).toBe(3);
    expect(await batch(t, [{ tool: "echo", deep: nested(5_000) }])).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
  });
});
