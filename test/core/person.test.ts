import { type TestHost, testHost } from "mortise/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { PersonRequest } from "../../core/person.ts";

const plugin = (run: string, more = "") => ({
  name: "asker",
  source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "asker", steer: ["tool.plain.input"] }, (api) => {
  api.registerTool({ name: "asks", description: "Asks.", input: { type: "object" }, scopes: "none", needsPerson: true, ${more}
    run: async (input, call) => { try { ${run} } catch (error) { return { text: error.code, isError: true }; } } });
  api.registerTool({ name: "plain", description: "Asks too.", input: { type: "object" }, scopes: "none",
    run: async (input) => { try { return JSON.stringify(await api.person.ask(input.q ?? { question: "Which?" })) ?? "turned away"; } catch (error) { return { text: error.code, isError: true }; } } });
  api.setSlot("tool.plain.input", async (prev, input) => {
    if (input.inLayer) { try { await api.person.ask({ question: "Which?" }); } catch (error) { return { ...input, code: error.code }; } }
    return prev();
  });
});`,
});
const ask = `return JSON.stringify(await api.person.ask(input.q ?? { question: "Which?", options: [{ label: "a" }, { label: "b" }], multiple: input.multiple === true, freeText: input.freeText })) ?? "turned away";`;

const hosts: TestHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});
async function hostWith(options: Parameters<typeof testHost>[0], run = ask, more = ""): Promise<TestHost> {
  const host = await testHost({ builtins: false, plugins: [plugin(run, more)], ...options });
  hosts.push(host);
  return host;
}
const names = (host: TestHost) => host.tools().map(({ name }) => name);

describe("tools that need a person", () => {
  it("are neither advertised nor callable where nobody can answer, and there as soon as somebody can", async () => {
    let there = false;
    const host = await hostWith({ person: { isThere: () => there, ask: async () => ({ chosen: ["a"] }) } });
    for (const without of [host, await hostWith({})]) {
      expect(names(without)).toEqual(["plain"]);
      expect((await without.definitions()).map(({ name }) => name)).toEqual(["plain"]);
      expect(await without.call("asks", {})).toMatchObject({ ran: false, code: "unknown_tool" });
      expect(without.slots().map(({ name }) => name)).not.toContain("tool.asks.input");
    }
    there = true;
    expect(names(host)).toEqual(["asks", "plain"]);
    expect(await host.call("asks", {})).toMatchObject({ isError: false, text: '{"chosen":["a"]}' });
    there = false;
    expect(await host.call("asks", {})).toMatchObject({ ran: false, code: "unknown_tool" });
    expect(await host.call("plain", {})).toMatchObject({ isError: true, text: "nobody_there" });
  });
});

describe("a program that cannot say whether somebody is there", () => {
  it("is taken for one where nobody is", async () => {
    const isThere = () => {
      throw new Error("no terminal");
    };
    expect(names(await hostWith({ person: { isThere, ask: async () => undefined } }))).toEqual(["plain"]);
  });
});

describe("api.person.ask", () => {
  it("says which plugin and tool ask, and hands on what is asked", async () => {
    const seen: PersonRequest[] = [];
    const host = await hostWith({
      person: {
        ask: async (request) => {
          seen.push(request);
          return { chosen: ["b"], text: " and more " };
        },
      },
    });
    expect((await host.call("asks", {})).text).toBe('{"chosen":["b"],"text":"and more"}');
    expect(seen).toEqual([
      expect.objectContaining({
        plugin: "asker",
        tool: "asks",
        question: "Which?",
        options: [{ label: "a" }, { label: "b" }],
        multiple: false,
        freeText: true,
      }),
    ]);
  });

  it.each([
    [undefined, {}],
    [{ chosen: ["c"] }, {}],
    [{ chosen: ["a", "b"] }, {}],
    [{ chosen: [], text: "typed" }, { freeText: false }],
    ["a", {}],
    [{ chosen: "a" }, {}],
  ])("takes %j for no answer", async (said, input) => {
    const host = await hostWith({ person: { ask: async () => said as never } });
    expect((await host.call("asks", input)).text).toBe("turned away");
  });

  it("takes an asker that fails for no answer", async () => {
    const host = await hostWith({ person: { ask: () => Promise.reject(new Error("no terminal")) } });
    expect((await host.call("asks", {})).text).toBe("turned away");
  });

  it.each([
    [null],
    ["Which?"],
    [{}],
    [{ question: "" }],
    [{ question: 1 }],
    [{ question: "x".repeat(2_001) }],
    [{ question: "?", options: [{ label: "" }] }],
    [{ question: "?", options: [{ label: "   " }] }],
    [{ question: "?", options: [{ label: "a\nb" }] }],
    [{ question: "?", options: [{ label: "\u001b[2Ja" }] }],
    [{ question: "?", options: [{ label: "a" }, { label: "a " }] }],
    [{ question: "?", options: Array.from({ length: 21 }, (_, index) => ({ label: `${index}` })) }],
    [{ question: "?", options: [], freeText: false }],
    [{ question: "?", options: "a" }],
  ])("refuses what is no question before anybody sees it (%#)", async (q) => {
    let asked = 0;
    const host = await hostWith(
      { person: { ask: async () => void asked++ } },
      "return JSON.stringify(await api.person.ask(input.json === undefined ? undefined : JSON.parse(input.json))) ?? 'turned away';",
    );
    expect(await host.call("asks", { json: JSON.stringify(q) })).toMatchObject({ isError: true, text: "wrong_argument" });
    expect(asked).toBe(0);
  });

  it("works in tools alone", async () => {
    const host = await hostWith({ person: { ask: async () => ({ chosen: [] }) } });
    expect((await host.call("plain", { inLayer: true })).input).toEqual({ inLayer: true, code: "not_here" });
  });

  it("asks 20 questions in a call at most", async () => {
    let asked = 0;
    const host = await hostWith({ person: { ask: async () => void asked++ } }, `for (;;) await api.person.ask({ question: "Which?" });`);
    expect(await host.call("asks", {})).toMatchObject({ isError: true, text: "too_many_requests" });
    expect(asked).toBe(20);
  });

  it("asks one question at a time, permission prompts among them", async () => {
    let open = 0;
    let most = 0;
    const waits = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 30));
      open--;
    };
    const host = await hostWith({
      builtins: true,
      answer: async () => {
        await waits();
        return { decision: "allow" };
      },
      person: {
        ask: async () => {
          await waits();
          return { chosen: ["a"] };
        },
      },
    });
    const calls = [host.call("asks", {}), host.call("bash", { command: "true" }), host.call("asks", {}), host.call("bash", { command: "touch x" })];
    expect((await Promise.all(calls)).map(({ isError }) => isError)).toEqual([false, false, false, false]);
    expect(most).toBe(1);
  });

  it("waits for a question that was cancelled to leave the screen", async () => {
    const cancel = new AbortController();
    const order: string[] = [];
    const host = await hostWith({
      person: {
        ask: async ({ signal }) => {
          if (order.length > 0) return void order.push("second");
          order.push("first");
          cancel.abort();
          await new Promise((resolve) => setTimeout(resolve, 50));
          order.push(`gone ${signal.aborted}`);
          return undefined;
        },
      },
    });
    const first = host.call("asks", {}, { signal: cancel.signal });
    await Promise.all([first, host.call("asks", {})]);
    expect(order).toEqual(["first", "gone true", "second"]);
  });

  it("does not count the time a person takes", async () => {
    const host = await hostWith(
      {
        person: {
          ask: async () => {
            await new Promise((resolve) => setTimeout(resolve, 1_500));
            return { chosen: ["a"] };
          },
        },
      },
      ask,
      "timeoutMs: 1_000,",
    );
    expect(await host.call("asks", {})).toMatchObject({ isError: false, text: '{"chosen":["a"]}' });
  });

  it("ends with a cancel, and lets the next question through", async () => {
    const cancel = new AbortController();
    const { promise: shown, resolve } = Promise.withResolvers<AbortSignal>();
    let answers = false;
    const host = await hostWith({
      person: {
        ask: async ({ signal }) => {
          resolve(signal);
          if (answers) return { chosen: ["b"] };
          return new Promise(() => {});
        },
      },
    });
    const first = host.call("asks", {}, { signal: cancel.signal });
    const signal = await shown;
    answers = true;
    const second = host.call("asks", {});
    cancel.abort();
    expect(await first).toMatchObject({ isError: true, code: "cancelled" });
    expect(signal.aborted).toBe(true);
    expect((await second).text).toBe('{"chosen":["b"]}');
  });
});

describe("definitions()", () => {
  it("stand with what tools say anew at each request, and without what fails or takes too long", async () => {
    const source = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "lists" }, (api) => {
  let count = 0;
  const tool = (name, describe) => api.registerTool({ name, description: "Static.", input: { type: "object" }, scopes: "none", describe, run: () => "" });
  tool("counts", () => "Request " + ++count + ".");
  tool("throws", () => { throw new Error("no"); });
  tool("spins", () => { for (;;); });
  tool("waits", () => new Promise(() => {}));
  tool("wrong", () => 1);
  tool("long", () => "x".repeat(100_000));
});`;
    const host = await testHost({ builtins: false, plugins: [{ name: "lists", source }] });
    hosts.push(host);
    const said = async () => Object.fromEntries((await host.definitions()).map(({ name, description }) => [name, description]));
    expect(host.tools().every(({ description }) => description === "Static.")).toBe(true);
    const first = await said();
    expect(first).toMatchObject({ throws: "Static.", spins: "Static.", waits: "Static.", wrong: "Static." });
    const quiet = await testHost({ builtins: false, plugins: [{ name: "lists", source: source.replace(/tool\("spins".*/, "") }] });
    hosts.push(quiet);
    const each = async () => Object.fromEntries((await quiet.definitions()).map(({ name, description }) => [name, description]));
    expect((await each()).counts).toBe("Static.\n\nRequest 1.");
    const second = await each();
    expect(second.counts).toBe("Static.\n\nRequest 2.");
    expect(second.long).toHaveLength("Static.\n\n".length + 16_384);
  });
});
