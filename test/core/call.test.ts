import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { NativeTool } from "../../core/host-types.ts";
import { type TestHost, type TestOptions, testHost } from "../../core/testing/testing.ts";
import { codes } from "../../sdk/errors.ts";
import { waitUntil } from "../support/wait-until.ts";

const echo: NativeTool = {
  name: "echo",
  description: "Answers its text.",
  inputSchema: { type: "object", properties: { text: { type: "string" }, times: { type: "integer" } }, required: ["text"] },
  capability: "run",
  scopes: "none",
  run: (input) => ({
    text: Array(Number(input.times ?? 1))
      .fill(input.text)
      .join("\n"),
    data: { said: input.text },
  }),
};

const plugin = (name: string, setup: string, definition = "") => ({
  name,
  source: `import { ask, definePlugin, deny, respond } from "mortise/sdk";
export default definePlugin({ name: "${name}", capabilities: { run: true }, ${definition} }, (api) => { ${setup} });`,
});

let host: TestHost | undefined;
const start = async (options: TestOptions) => {
  host = await testHost({ tools: [echo], builtins: false, ...options });
  return host;
};
afterEach(async () => {
  await host?.close();
  host = undefined;
});

describe("callTool()", () => {
  it("answers without a message to the runner where nothing is layered", async () => {
    const t = await start({ plugins: [plugin("idle", `api.setSlot("tool.other.input", (prev) => prev());`)] });
    const before = t.sent();
    const record = await t.call("echo", { text: "hi" });
    expect(record).toMatchObject({ tool: "echo", ran: true, text: "hi", isError: false, code: null, stopped: null, trace: [] });
    expect(t.sent()).toBe(before);
  });

  it("runs the layers of tool.* around those of the tool, the last registered outermost", async () => {
    const add = (slot: string, word: string) => `api.setSlot("${slot}", (prev, input) => prev({ ...input, text: input.text + "${word}" }));`;
    const t = await start({
      plugins: [plugin("one", add("tool.echo.input", "1")), plugin("star", add("tool.*.input", "*")), plugin("two", add("tool.echo.input", "2"))],
    });
    const record = await t.call("echo", { text: "" });
    expect(record.text).toBe("*21");
    expect(record.trace.map(({ slot, plugin, outcome }) => [slot, plugin, outcome])).toEqual([
      ["tool.*.input", "star", "changed"],
      ["tool.echo.input", "two", "changed"],
      ["tool.echo.input", "one", "changed"],
    ]);
    expect(record).toMatchObject({ wrote: { text: "" }, input: { text: "*21" } });
    expect(record.trace.map(({ before, after }) => [before, after])).toMatchObject([
      [{ value: { text: "" } }, { value: { text: "*" } }],
      [{ value: { text: "*" } }, { value: { text: "*2" } }],
      [{ value: { text: "*2" } }, { value: { text: "*21" } }],
    ]);
  });

  it("keeps the place that before and after ask for", async () => {
    const add = (word: string, options: string) =>
      `api.setSlot("tool.echo.input", (prev, input) => prev({ ...input, text: input.text + "${word}" }), ${options});`;
    const t = await start({ plugins: [plugin("one", add("1", `{ before: "two" }`)), plugin("two", add("2", "{}"))] });
    expect((await t.call("echo", { text: "" })).text).toBe("12");
  });

  it("stops a call that a layer denies, without judges, permission or output layers", async () => {
    const t = await start({
      plugins: [
        plugin("out", `api.setSlot("tool.echo.output", () => ({ text: "seen" }));`),
        plugin("no", `api.setSlot("tool.echo.input", () => deny("Not this one."));`),
      ],
    });
    const record = await t.call("echo", { text: "hi" });
    expect(record).toMatchObject({
      ran: false,
      isError: true,
      text: "Not this one.",
      code: "stopped",
      stopped: { plugin: "no", by: "layer", reason: "Not this one." },
    });
  });

  it("keeps a denial from below whatever a layer above answers", async () => {
    const t = await start({
      plugins: [
        plugin("no", `api.setSlot("tool.echo.input", () => deny("Not this one."));`),
        plugin("over", `api.setSlot("tool.echo.input", async (prev, input) => { try { return await prev(); } catch { return input; } });`),
      ],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: false, stopped: { plugin: "no" } });
  });

  it("tells a layer above that one below stopped the call", async () => {
    const t = await start({
      plugins: [
        plugin("no", `api.setSlot("tool.echo.input", () => deny("Not this one."));`),
        plugin(
          "over",
          `api.setSlot("tool.echo.input", async (prev) => { try { return await prev(); } catch (e) { return deny([e.name, e.verdict, e.plugin, e.reason].join("/")); } });`,
        ),
      ],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ stopped: { plugin: "over", reason: "Stopped/deny/no/Not this one." } });
  });

  it("checks the schema after the layers, so that a layer can repair a draft", async () => {
    const t = await start({ plugins: [plugin("repair", `api.setSlot("tool.echo.input", (prev, input) => prev({ text: input.txt ?? "" }));`)] });
    expect(await t.call("echo", { txt: "hi" })).toMatchObject({ ran: true, text: "hi" });
  });

  it("refuses input that does not fit, naming path, expected and got", async () => {
    const t = await start({});
    expect(await t.call("echo", { text: 3 })).toMatchObject({
      ran: false,
      code: "invalid_input",
      text: "The input does not fit the tool's schema: echo: text: expected string, got 3. Send the call again with the input corrected.",
    });
  });

  it("names close tools for an unknown one, and fires nothing", async () => {
    const t = await start({ plugins: [plugin("no", `api.setSlot("tool.*.input", () => deny("seen"));`)] });
    expect(await t.call("ecoh", {})).toMatchObject({
      code: "unknown_tool",
      ran: false,
      trace: [],
      text: expect.stringContaining('did you mean "echo"?'),
    });
  });

  it("refuses a tool to a caller outside of its audiences", async () => {
    const t = await start({ tools: [{ ...echo, audiences: ["main"] }] });
    expect(await t.call("echo", { text: "hi" }, { audience: "research" })).toMatchObject({ code: "not_in_audience", ran: false });
  });

  it("asks all judges about what would run, and joins their reasons", async () => {
    const t = await start({
      plugins: [
        plugin("rewrite", `api.setSlot("tool.echo.input", (prev) => prev({ text: "worse" }));`),
        plugin("one", `api.judge("tool.echo.input", (input) => input.text === "worse" ? deny("One says no.") : undefined);`),
        plugin("two", `api.judge("tool.*.input", () => deny("Two says no."));`),
      ],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({
      ran: false,
      text: "One says no.\nTwo says no.",
      stopped: { plugin: "one", by: "judge" },
    });
  });

  it("denies where a judge fails, throws, or answers a value", async () => {
    for (const body of ["throw new Error('broken')", "return { text: 'x' }", "for (;;) {}", "await new Promise(() => {})"]) {
      const t = await start({ plugins: [plugin("judge", `api.judge("tool.echo.input", async () => { ${body} });`)], limits: { windowMs: 500 } });
      expect(await t.call("echo", { text: "hi" }), body).toMatchObject({ ran: false, code: "stopped", stopped: { plugin: "judge", by: "judge" } });
      await t.close();
    }
  });

  it("asks a person where a layer asks, over yolo, and runs what was shown", async () => {
    const t = await start({
      yolo: true,
      answer: "allow",
      plugins: [plugin("careful", `api.setSlot("tool.echo.input", (prev, input) => ask("Sure?", { input: { text: input.text + "!" } }));`)],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: true, text: "hi!", permission: { decision: "allow", source: "person" } });
    expect(t.prompts).toMatchObject([{ input: { text: "hi!" }, reasons: [{ plugin: "careful", reason: "Sure?" }] }]);
  });

  it("denies what has to be asked about where nobody is there", async () => {
    const t = await start({ plugins: [plugin("careful", `api.judge("tool.echo.input", () => ask("Sure?"));`)] });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: false, code: "denied", permission: { decision: "deny", source: "nobody" } });
  });

  it("answers for the tool with respond, through output layers", async () => {
    const t = await start({
      plugins: [
        plugin("cache", `api.setSlot("tool.echo.input", () => respond("cached"));`),
        plugin("out", `api.setSlot("tool.echo.output", (prev, out) => prev({ ...out, text: out.text + "!" }));`),
      ],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: false, isError: false, text: "cached!", respondedBy: "cache" });
  });

  it("lets a deny rule win over respond", async () => {
    const t = await start({
      tools: [{ ...echo, scopes: () => ({ scopes: [{ kind: "command", text: "echo hi" }] }) }],
      rules: [{ tool: "echo", pattern: "echo *", effect: "deny" }],
      plugins: [plugin("cache", `api.setSlot("tool.echo.input", () => respond("cached"));`)],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: false, isError: true, code: "denied", respondedBy: null });
  });

  it.each([{ tool: "echo" }, { tool: "echo", pattern: "*" }, { tool: "*" }])("denies a tool without scopes that %j is about", async (about) => {
    const t = await start({ rules: [{ ...about, effect: "deny" }] });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: false, code: "denied", permission: { decision: "deny", source: "rule" } });
  });

  it("never asks about a tool without scopes", async () => {
    const t = await start({ yolo: false, rules: [{ tool: "echo", effect: "ask" }] });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: true, permission: { source: "no_scopes" } });
  });

  it("fires output layers for a call that permission refused", async () => {
    const t = await start({
      tools: [{ ...echo, scopes: () => ({ scopes: [{ kind: "command", text: "echo hi" }] }) }],
      rules: [{ tool: "echo", pattern: "echo *", effect: "deny" }],
      plugins: [plugin("out", `api.setSlot("tool.echo.output", (prev, out) => prev({ ...out, text: "refused: " + out.isError }));`)],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: false, isError: true, text: "refused: true" });
  });

  it("shows data to layers that ask for it, and drops it where a layer changed the text alone", async () => {
    const out = (options: string, body: string) => plugin("out", `api.setSlot("tool.echo.output", (prev, out) => { ${body} }, ${options});`);
    const kept = await start({ plugins: [out("{}", `return prev({ ...out, text: out.data === undefined ? out.text : "seen" });`)] });
    expect(await kept.call("echo", { text: "hi" })).toMatchObject({ text: "hi", data: { said: "hi" } });
    await kept.close();
    const dropped = await start({ plugins: [out("{}", `return { ...out, text: "other" };`)] });
    expect((await dropped.call("echo", { text: "hi" })).data).toBeUndefined();
    await dropped.close();
    const changed = await start({ plugins: [out("{ data: true }", `return { ...out, text: "other", data: { was: out.data.said } };`)] });
    expect(await changed.call("echo", { text: "hi" })).toMatchObject({ text: "other", data: { was: "hi" } });
  });

  it("passes over a layer that fails, and stops the call where it blocks", async () => {
    const t = await start({ plugins: [plugin("broken", `api.setSlot("tool.echo.input", () => { throw new Error("oops"); });`)] });
    const record = await t.call("echo", { text: "hi" });
    expect(record).toMatchObject({ ran: true, text: "hi" });
    expect(record.trace).toMatchObject([{ plugin: "broken", outcome: "skipped", failure: { code: "plugin_threw" } }]);
    await t.close();
    const blocking = await start({
      plugins: [plugin("broken", `api.setSlot("tool.echo.input", () => { throw new Error("oops"); }, { onFailure: "block" });`)],
    });
    expect(await blocking.call("echo", { text: "hi" })).toMatchObject({ ran: false, code: "stopped", stopped: { plugin: "broken" } });
  });

  it("skips a layer that is not entitled, and says so among the problems", async () => {
    const t = await start({
      plugins: [
        {
          name: "poor",
          source: `import { definePlugin, deny } from "mortise/sdk"; export default definePlugin({ name: "poor" }, (api) => { api.setSlot("tool.echo.input", () => deny("no")); });`,
        },
      ],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: true, trace: [] });
    expect(t.problems()).toContainEqual(expect.objectContaining({ code: "not_granted", plugin: "poor" }));
  });

  it("names the layers that an answer without prev cut off", async () => {
    const t = await start({
      plugins: [
        plugin("below", `api.setSlot("tool.echo.input", (prev) => prev());`),
        plugin("above", `api.setSlot("tool.echo.input", (prev, input) => ({ ...input }));`),
      ],
    });
    expect((await t.call("echo", { text: "hi" })).trace).toMatchObject([
      { plugin: "above", outcome: "passed" },
      { plugin: "below", outcome: "cut" },
    ]);
  });

  it("cancels a tool, and ends with what it has", async () => {
    const stop = new AbortController();
    const t = await start({
      tools: [
        {
          ...echo,
          run: () => {
            stop.abort();
            return new Promise(() => {});
          },
        },
      ],
    });
    expect(await t.call("echo", { text: "hi" }, { signal: stop.signal })).toMatchObject({ isError: true, code: "cancelled" });
  });

  it("ends a call at its deadline", async () => {
    const t = await start({ tools: [{ ...echo, run: () => new Promise(() => {}) }] });
    expect(await t.call("echo", { text: "hi" }, { timeoutMs: 50 })).toMatchObject({ isError: true, code: "deadline_passed" });
  });

  it("keeps what is long for the model in a private file, redacted", async () => {
    const t = await start({ plugins: [plugin("hide", `api.redact((text) => text.replaceAll("secret", "[gone]"));`, `steer: ["tool.*.output"]`)] });
    const record = await t.call("echo", { text: "secret line", times: 5000 });
    const { readFile, stat } = await import("node:fs/promises");
    expect(record.text).toMatch(/lines, \d+ bytes left out; the whole text is in /);
    expect(record.text).not.toContain("secret");
    const spill = record.spill ?? "";
    expect(await readFile(spill, "utf8")).toBe(Array(5000).fill("[gone] line").join("\n"));
    expect((await stat(spill)).mode & 0o777).toBe(0o600);
  });

  it("redacts text, data, input, reasons and trace, and withholds them where a redactor fails", async () => {
    const t = await start({
      plugins: [
        plugin("rewrite", `api.setSlot("tool.echo.input", (prev, input) => prev({ text: input.text + " secret" }));`),
        plugin("hide", `api.redact((text) => text.replaceAll("secret", "[gone]"));`),
      ],
    });
    const record = await t.call("echo", { text: "a secret" });
    expect(record).toMatchObject({ text: "a [gone] [gone]", data: { said: "a [gone] [gone]" }, input: { text: "a [gone] [gone]" } });
    expect(JSON.stringify(record)).not.toContain("secret");
    await t.close();
    const failing = await start({ plugins: [plugin("hide", `api.redact(() => { throw new Error("oops"); });`)] });
    const withheld = await failing.call("echo", { text: "a secret" });
    expect(withheld).toMatchObject({ isError: true, code: "withheld" });
    expect(JSON.stringify(withheld)).not.toContain("secret");
  });

  it("redacts what slots and commands answer the program", async () => {
    const t = await start({
      plugins: [
        plugin("hide", `api.redact((text) => text.replaceAll("secret", "[gone]"));`, `steer: ["tool.*.output"]`),
        plugin(
          "says",
          `const say = (what) => { if (what === "fail") throw new Error("secret"); return "a secret"; };
           api.declareSlot("says.it", say);
           api.registerCommand({ name: "say", description: "d", run: say });`,
        ),
      ],
    });
    expect(await t.fire("says.it", "")).toBe("a [gone]");
    expect(await t.command("say", "")).toBe("a [gone]");
    for (const fail of [() => t.fire("says.it", "fail"), () => t.command("say", "fail")]) {
      const error: unknown = await fail().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "plugin_threw", plugin: "says", seen: "[gone]." });
    }
  });

  it("never shows a secret that is split between streamed chunks", async () => {
    const t = await start({
      tools: [
        {
          ...echo,
          run: async (_input, call) => {
            for (const part of ["key=AKIAIOSF", "ODNN7EXAMPLE", "\nok\n"]) call.write(part);
            return "done";
          },
        },
      ],
      plugins: [plugin("hide", `api.redact((text) => text.replace(/AKIA[A-Z0-9]{16}/g, "[gone]"), { overlap: 32 });`)],
    });
    await t.call("echo", { text: "hi" });
    expect(t.shown.join("")).toBe("key=[gone]\nok\n");
  });

  it("redacts the name of a tool that does not exist", async () => {
    const t = await start({ plugins: [plugin("hide", `api.redact((text) => text.replaceAll("secret", "[gone]"));`, `steer: ["tool.*.output"]`)] });
    expect(await t.call("secret", { a: 1 })).toMatchObject({ tool: "[gone]", code: "unknown_tool" });
    expect(await t.call("echo", "secret")).toMatchObject({ tool: "echo", code: "invalid_input" });
  });

  it("shows no layer what no isolate takes, however much a layer may be passed over", async () => {
    const t = await start({ plugins: [plugin("add", `api.setSlot("tool.echo.input", (prev, input) => prev({ ...input, text: "safe" }));`)] });
    const deep = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`);
    const self: Record<string, unknown> = { text: "hi" };
    self.self = self;
    const getter = Object.defineProperty({}, "text", {
      enumerable: true,
      get: () => {
        throw new TypeError("no");
      },
    });
    for (const input of [{ text: "hi", deep }, { text: "x".repeat(25 * 1024 * 1024) }, self, { text: 1n }, getter]) {
      expect(await t.call("echo", input)).toMatchObject({ ran: false, isError: true, code: "invalid_input", trace: [] });
    }
  });

  it("runs what was judged, though whoever called changes the input meanwhile", async () => {
    const input = { text: "judged" };
    const t = await start({
      tools: [
        {
          ...echo,
          scopes: () => {
            input.text = "other";
            return { scopes: [{ kind: "other", text: "s" }] };
          },
        },
      ],
    });
    expect(await t.call("echo", input)).toMatchObject({ text: "judged", input: { text: "judged" } });
  });

  it("takes as a failure what a tool of the program throws at once, and what it answers that is no text", async () => {
    const self: Record<string, unknown> = {};
    self.self = self;
    const answers: (() => unknown)[] = [
      () => {
        throw new TypeError("at once");
      },
      () => undefined,
      () => ({ text: 7 }),
      () => ({ text: "t", data: self }),
    ];
    for (const answer of answers) {
      const t = await start({ tools: [{ ...echo, run: answer as NativeTool["run"] }], plugins: [plugin("hide", `api.redact((text) => text);`)] });
      expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: true, isError: true, code: null });
      await t.close();
    }
  });

  it("ends tools that call each other in a circle, and listeners that call what they listen to", async () => {
    const t = await start({
      tools: [],
      plugins: [
        plugin(
          "circle",
          `api.registerTool({ name: "again", description: "d", input: { type: "object" }, capability: "run", scopes: "none", run: async () => {
             try { return (await api.tools.call("again", {})).text; } catch (error) { return error.code; }
           } });
           api.createAutocmd("ToolDone", async () => { await api.tools.call("again", {}); });`,
        ),
      ],
    });
    let done = 0;
    t.on("ToolDone", () => {
      done++;
    });
    expect((await t.call("again", {})).text).toBe("too_deep");
    // Each call makes one that is a level deeper, and by the listener one two levels deeper, down to the eighth.
    await waitUntil(() => done >= 88);
    await t.close();
    expect(done).toBe(88);
  });

  it("says of a judge that was cut short by the end of the call no more than that", async () => {
    const t = await start({ plugins: [plugin("slow", `api.judge("tool.echo.input", () => new Promise(() => {}));`)] });
    const stop = new AbortController();
    const before = t.sent();
    const calling = t.call("echo", { text: "hi" }, { signal: stop.signal });
    await waitUntil(() => t.sent() > before);
    stop.abort();
    expect(await calling).toMatchObject({ ran: false, code: "cancelled", stopped: null, trace: [{ plugin: "slow", kind: "judge", outcome: "cut" }] });
    expect(await t.call("echo", { text: "hi" }, { timeoutMs: 100 })).toMatchObject({ ran: false, code: "deadline_passed", stopped: null });
  });

  it("leaves the output as it was where it is cancelled in a layer, and withholds it where the layer blocks", async () => {
    for (const [options, code, text] of [
      ["{}", "cancelled", "hi"],
      [`{ onFailure: "block" }`, "withheld", expect.not.stringContaining("hi")],
    ] as const) {
      const t = await start({ plugins: [plugin("slow", `api.setSlot("tool.echo.output", () => new Promise(() => {}), ${options});`)] });
      const stop = new AbortController();
      const before = t.sent();
      const calling = t.call("echo", { text: "hi" }, { signal: stop.signal });
      await waitUntil(() => t.sent() > before);
      stop.abort();
      expect(await calling).toMatchObject({ ran: true, code, text });
      await t.close();
    }
  });

  it("gives output layers their time after a cancel that came before", async () => {
    const stop = new AbortController();
    const t = await start({
      tools: [
        {
          ...echo,
          run: () => {
            stop.abort();
            return new Promise(() => {});
          },
        },
      ],
      plugins: [
        plugin("late", `api.setSlot("tool.echo.output", async () => { await new Promise((r) => setTimeout(r, 50)); return { text: "layered" }; });`),
      ],
    });
    expect(await t.call("echo", { text: "hi" }, { signal: stop.signal })).toMatchObject({ code: "cancelled", text: "layered" });
  });

  it("names the layer that denied the output, and gives a reason that is empty or endless words of its own", async () => {
    const t = await start({
      plugins: [plugin("no", `api.setSlot("tool.echo.output", (prev, { text }) => deny(text === "hi" ? "" : "x".repeat(1_000_000)));`)],
    });
    expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: true, isError: true, stopped: { plugin: "no", by: "layer" } });
    expect((await t.call("echo", { text: "hi" })).text).not.toBe("");
    expect(JSON.stringify(await t.call("echo", { text: "long" })).length).toBeLessThan(50_000);
  });

  it("is cancelled when the host closes, whatever it waits for, and after that", async () => {
    const waits: Record<string, TestOptions> = {
      layer: { plugins: [plugin("p", `api.setSlot("tool.echo.input", () => new Promise(() => {}));`)] },
      judge: { plugins: [plugin("p", `api.judge("tool.echo.input", () => new Promise(() => {}));`)] },
      person: { tools: [{ ...echo, scopes: () => ({ scopes: [{ kind: "other", text: "s" }] }) }], answer: () => new Promise(() => {}) },
      scopes: { tools: [{ ...echo, scopes: () => new Promise<never>(() => {}) }] },
      tool: { tools: [{ ...echo, run: () => new Promise<never>(() => {}) }] },
    };
    for (const [what, options] of Object.entries(waits)) {
      const t = await start(options);
      const calling = t.call("echo", { text: "hi" });
      await new Promise((resolve) => setTimeout(resolve, 50));
      await t.close();
      expect([what, (await calling).code]).toEqual([what, "cancelled"]);
      expect(await t.call("echo", { text: "hi" })).toMatchObject({ ran: false, code: "cancelled" });
    }
  });

  it("takes the path that a field holds for what the call would do, asking the plugin nothing", async () => {
    const t = await start({
      plugins: [
        plugin(
          "own",
          `api.registerTool({ name: "one", description: "d", input: { type: "object" }, scopes: { path: "file", access: "write", otherwise: "./here" }, run: () => "ran" });`,
        ),
      ],
      answer: () => ({ decision: "deny" }),
    });
    const before = t.sent();
    const text = (file: string) => expect.stringMatching(new RegExp(`/${file}$`));
    expect(await t.call("one", { file: "sub/../a.txt" })).toMatchObject({ ran: false, permission: { scopes: [{ text: text("a.txt") }] } });
    expect(await t.call("one", {})).toMatchObject({ ran: false, permission: { scopes: [{ text: text("here") }] } });
    // What is no path is not passed over, whatever allows everything.
    for (const file of [7, "", null, { __proto__: null }]) expect(await t.call("one", { file })).toMatchObject({ ran: false });
    expect(t.prompts).toHaveLength(6);
    expect(t.prompts.slice(2).map(({ scopes }) => scopes.map(({ kind }) => kind))).toEqual([["other"], ["other"], ["other"], ["other"]]);
    expect(t.sent()).toBe(before);
  });

  it("does not run another version of a tool than the one that was approved", async () => {
    const own = (text: string) => ({
      name: "own",
      source: `import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "own" }, (api) => {
        api.registerTool({ name: "own", description: "d", input: { type: "object" }, run: () => "${text}", scopes: () => ({ scopes: [{ kind: "other", text: "s" }] }) }); });`,
    });
    const t = await start({
      plugins: [own("approved")],
      answer: async () => {
        await t.unload("own");
        await t.load(own("other"));
        return { decision: "allow" };
      },
    });
    expect(await t.call("own", {})).toMatchObject({ ran: false, isError: true, code: "tool_failed" });
    expect(await t.call("own", {}, { yolo: true })).toMatchObject({ ran: true, text: "other" });
  });

  it("says that time was up, not that it was cancelled, where a layer of the prompt took too long", async () => {
    const t = await start({
      tools: [{ ...echo, scopes: () => ({ scopes: [{ kind: "other", text: "s" }] }) }],
      plugins: [plugin("slow", `api.setSlot("permission.prompt", () => new Promise(() => {}));`)],
      yolo: false,
    });
    const record = await t.call("echo", { text: "hi" }, { timeoutMs: 100 });
    expect(record).toMatchObject({ ran: false, code: "deadline_passed", permission: { decision: "deny", source: "cancelled" } });
    expect(record.text).toContain(codes.deadline_passed[0]);
  });

  it.each([
    ["inner", `{ decision: "allow" }`, `await prev(), { decision: "allow", guidance: "the same" }`, "allow"],
    ["outer", `{ decision: "allow" }`, `await prev(), { decision: "deny" }`, "deny"],
    ["outer", `{ decision: "deny" }`, `await prev(), { decision: "allow" }`, "allow"],
    ["inner", `{ decision: "deny" }`, `await prev()`, "deny"],
  ])("says that %s decided where one layer of the prompt answers %s, and one around it %s", async (decider, below, above, decision) => {
    const t = await start({
      tools: [{ ...echo, scopes: () => ({ scopes: [{ kind: "other", text: "s" }] }) }],
      plugins: [
        plugin("inner", `api.setSlot("permission.prompt", () => (${below}));`),
        plugin("outer", `api.setSlot("permission.prompt", async (prev) => (${above}));`),
      ],
      yolo: false,
    });
    expect((await t.call("echo", { text: "hi" })).permission).toMatchObject({ decision, source: `layer:${decider}` });
  });

  it("shows what ran to listeners who pay for that tool, whatever another one's name begins with", async () => {
    const t = await start({
      tools: [
        { ...echo, name: "a", capability: "fs_read" },
        { ...echo, name: "a.b", capability: "run" },
      ],
      plugins: [
        plugin(
          "reader",
          `api.createAutocmd("ToolDone", ({ data }) => console.log(data.tool + " " + JSON.stringify(data.input ?? null)));`,
          "capabilities: { fs_read: true }",
        ),
      ],
    });
    await t.call("a.b", { text: "secret" });
    await t.call("a", { text: "file" });
    await waitUntil(() => t.logs.length === 2, 10_000);
    expect(t.logs.map(({ text }) => text)).toEqual(["a.b null", `a {"text":"file"}`]);
  });

  it("puts a text that the host holds in front of the tool's own, before redactors and layers, and takes none that is not of the call", async () => {
    const held = (answer: string) => `
      api.registerTool({ name: "own", description: "d", input: { type: "object" }, capability: "fs_read", scopes: "none", run: async () => {
        const { held, text } = await api.fs.search({ pattern: "needle", hold: true });
        return { text: text + " and more", held: ${answer} };
      } });
      api.redact((text) => text.replaceAll("NEEDLE", "[gone]"));
      api.setSlot("tool.own.output", async (prev, output) => prev({ ...output, text: output.text.toUpperCase() }));`;
    const reading = "capabilities: { fs_read: true, run: true, fs_write: true, net: true, env: true }";
    const t = await start({ plugins: [plugin("own", held("held"), reading)] });
    await writeFile(join(t.folder, "a.txt"), "a needle\n");
    expect(await t.call("own", {})).toMatchObject({ isError: false, text: "A.TXT:\n1: A [gone] AND MORE" });
    await t.close();
    const other = await start({ plugins: [plugin("own", held(`"17"`), reading)] });
    expect(await other.call("own", {})).toMatchObject({ isError: true, text: expect.stringContaining("NOT HELD FOR ITS CALL") });
  });

  describe("record", () => {
    const asking: Partial<NativeTool> = { scopes: () => ({ scopes: [{ kind: "other", text: "s" }] }) };
    const own = (run: string) =>
      plugin(
        "own",
        `api.registerTool({ name: "own", description: "d", input: { type: "object" }, capability: "run", scopes: "none", run: ${run} });`,
      );
    it.each<[string, TestOptions, string, unknown, Record<string, unknown>]>([
      ["a tool that answers", {}, "echo", { text: "hi" }, { ran: true, isError: false, code: null, permission: { decision: "allow" } }],
      ["no such tool", {}, "none", {}, { ran: false, code: "unknown_tool", permission: { decision: "none" } }],
      ["input that does not fit", {}, "echo", {}, { ran: false, code: "invalid_input", permission: { decision: "none" } }],
      [
        "a layer that denies",
        { plugins: [plugin("p", `api.setSlot("tool.echo.input", () => deny("r"));`)] },
        "echo",
        { text: "hi" },
        { ran: false, code: "stopped", stopped: { plugin: "p", by: "layer", reason: "r" }, permission: { decision: "none" } },
      ],
      [
        "a judge that denies",
        { plugins: [plugin("p", `api.judge("tool.echo.input", () => deny("r"));`)] },
        "echo",
        { text: "hi" },
        { ran: false, code: "stopped", stopped: { plugin: "p", by: "judge", reason: "r" }, permission: { decision: "none" } },
      ],
      [
        "a layer that answers for the tool",
        { plugins: [plugin("p", `api.setSlot("tool.echo.input", () => respond("r"));`)] },
        "echo",
        { text: "hi" },
        { ran: false, isError: false, code: null, respondedBy: "p", text: "r", stopped: null },
      ],
      [
        "a rule that denies",
        { tools: [{ ...echo, ...asking }], rules: [{ tool: "echo", effect: "deny" }] },
        "echo",
        { text: "hi" },
        { ran: false, code: "denied", stopped: null, permission: { decision: "deny", source: "rule" } },
      ],
      [
        "a person who denies",
        { tools: [{ ...echo, ...asking }], answer: "deny" },
        "echo",
        { text: "hi" },
        { ran: false, code: "denied", permission: { decision: "deny", source: "person" } },
      ],
      [
        "nobody there",
        { tools: [{ ...echo, ...asking }], yolo: false },
        "echo",
        { text: "hi" },
        { ran: false, code: "denied", permission: { decision: "deny", source: "nobody" } },
      ],
      [
        "a layer of the prompt that denies",
        { tools: [{ ...echo, ...asking }], yolo: false, plugins: [plugin("p", `api.setSlot("permission.prompt", () => deny("r"));`)] },
        "echo",
        { text: "hi" },
        { ran: false, code: "denied", permission: { decision: "deny", source: "layer:p" } },
      ],
      ["a tool that fails", { plugins: [own(`() => ({ text: "t", isError: true })`)] }, "own", {}, { ran: true, isError: true, code: null }],
      ["a tool that throws", { plugins: [own(`() => { throw new Error("t"); }`)] }, "own", {}, { ran: true, isError: true, code: null }],
      [
        "a tool whose plugin registers something else when it runs",
        {
          plugins: [
            {
              name: "own",
              source: `import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "own" }, (api) => {
                api.registerTool({ name: "own", description: String(Math.random()), input: { type: "object" }, scopes: "none", run: () => "t" });
                api.createAutocmd("TurnEnd", () => {}, { group: String(Math.random()) }); });`,
            },
          ],
        },
        "own",
        {},
        { ran: false, isError: true },
      ],
      [
        "a blocking output layer that fails",
        { plugins: [plugin("p", `api.setSlot("tool.echo.output", () => 7, { onFailure: "block" });`)] },
        "echo",
        { text: "hi" },
        { ran: true, isError: true, code: "withheld", stopped: null },
      ],
      [
        "an output layer that denies",
        { plugins: [plugin("p", `api.setSlot("tool.echo.output", () => deny("r"));`)] },
        "echo",
        { text: "hi" },
        { ran: true, isError: true, text: "r", stopped: { plugin: "p", by: "layer", reason: "r" } },
      ],
      [
        "a redactor that fails",
        { plugins: [plugin("p", `api.redact(() => 7);`)] },
        "echo",
        { text: "hi" },
        { ran: true, isError: true, code: "withheld", stopped: null },
      ],
    ])("tells of %s what is so", async (_, options, tool, input, expected) => {
      const t = await start(options);
      const before = performance.now();
      const record = await t.call(tool, input);
      expect(record).toMatchObject({ isError: true, ...expected });
      expect(record.durationMs).toBeGreaterThanOrEqual(0);
      expect(record.durationMs).toBeLessThanOrEqual(performance.now() - before);
    });
  });
});

describe("createHost()", () => {
  it("does not start without a plugin that the program names", async () => {
    await expect(testHost({ plugins: ["/nowhere/guard.ts"] })).rejects.toMatchObject({ code: "plugin_not_found" });
    await expect(testHost({ plugins: [{ name: "broken", source: "export default 5" }] })).rejects.toMatchObject({ code: "plugin_undefined" });
  });

  it("says where an answer for always could be kept for the session only", async () => {
    const { mkdir, writeFile } = await import("node:fs/promises");
    const { join } = await import("node:path");
    host = await testHost({
      builtins: false,
      tools: [{ ...echo, scopes: () => ({ scopes: [{ kind: "command", text: "echo hi" }] }) }],
      answer: () => ({ decision: "allow", remember: "project" }),
    });
    await mkdir(join(host.folder, ".mortise"));
    await writeFile(join(host.folder, ".mortise", "permissions.jsonc"), "{}");
    expect(await host.call("echo", { text: "hi" })).toMatchObject({ ran: true });
    await host.call("echo", { text: "hi" });
    expect(host.prompts).toHaveLength(1);
    expect(host.logs).toMatchObject([
      { level: "warn", plugin: null, text: expect.stringContaining("for this session only. The folder is not trusted") },
    ]);
  });
});
