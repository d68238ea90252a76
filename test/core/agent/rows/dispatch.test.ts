import { describe, expect, it } from "vitest";
import type { NativeTool } from "../../../../core/host-types.ts";
import type { ChaosStep } from "../../../../core/models/embedded/chaos/chaos.ts";
import { agentWith, doneOf, echo, eventsOf, ofType, said, type With } from "../agent-with.ts";

const end: ChaosStep = { kind: "text", text: "ok" };
const calls = (...given: [tool: string, text: string][]): ChaosStep => ({
  kind: "calls",
  calls: given.map(([tool, text]) => ({ tool, input: { text } })),
});
const steps = (...texts: string[]): ChaosStep[] => [...texts.map((text) => calls(["echo", text])), end];

const run = async (options: With) => {
  const driven = await agentWith(options);
  const events = await eventsOf(driven.agent.run(said("Go")));
  return { ...driven, events, done: doneOf(events), loops: ofType(events, "loop_detected"), results: ofType(events, "tool_done") };
};

/** A tool that counts how often it ran. */
function counting(answer: (text: string, count: number) => string, more: Partial<NativeTool> = {}): NativeTool & { count: number } {
  const tool = {
    ...echo,
    ...more,
    count: 0,
    run: ({ text }: Record<string, unknown>) => answer(String(text), tool.count++),
  };
  return tool;
}

describe("the calls of an answer", () => {
  it("are kept with it before the first of them runs", async () => {
    let before: readonly [string, unknown][] = [];
    const looks: NativeTool = {
      ...echo,
      run: () => {
        before = [...journal];
        return "";
      },
    };
    const { agent, journal } = await agentWith({ steps: steps("a"), host: { tools: [looks] } });
    await eventsOf(agent.run(said("Go")));
    expect(before.filter(([kind]) => kind === "append").at(-1)).toMatchObject(["append", { role: "assistant", parts: [{ type: "call" }] }]);
  });

  it("run side by side, however many", async () => {
    const all = Promise.withResolvers<void>();
    let running = 0;
    const meets: NativeTool = {
      ...echo,
      run: async ({ text }) => {
        if (++running === 20) all.resolve();
        await all.promise;
        return String(text);
      },
    };
    const texts = Array.from({ length: 20 }, (_, i) => String(i));
    const { agent, done } = await run({
      steps: [calls(...texts.map((text): [string, string] => ["echo", text])), end],
      host: { tools: [meets] },
    });
    expect(done.reason).toBe("end_turn");
    expect(agent.messages()[2]).toMatchObject({ results: texts.map((text) => ({ text })) });
  });

  it("fail alone", async () => {
    const throws: NativeTool = {
      ...echo,
      run: ({ text }) => {
        if (text === "b") throw new Error("broken");
        return String(text);
      },
    };
    const { results } = await run({ steps: [calls(["echo", "a"], ["echo", "b"], ["echo", "c"]), end], host: { tools: [throws] } });
    expect(results.map(({ isError }) => isError).sort()).toEqual([false, false, true]);
  });

  it("go through layers, schema, scopes, permission, the tool and layers again, each on what the one before made", async () => {
    const seen: string[] = [];
    const tool: NativeTool = {
      ...echo,
      scopes: ({ text }) => {
        seen.push(`scopes ${text}`);
        return { scopes: [{ kind: "command", text: `make ${text}` }] };
      },
      run: ({ text }) => {
        seen.push(`runs ${text}`);
        return String(text);
      },
    };
    const layers = {
      name: "layers",
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "layers", steer: ["tool.echo.input", "tool.echo.output"] }, (api) => {
  api.setSlot("tool.echo.input", (prev, input) => prev({ text: input.text + "+in" }));
  api.setSlot("tool.echo.output", async (prev) => { const { text } = await prev(); return { text: text + "+out" }; });
});`,
    };
    const { results, agent } = await run({
      steps: steps("a"),
      host: {
        tools: [tool],
        plugins: [layers],
        answer: ({ scopes }) => {
          seen.push(`asked ${scopes.map(({ text }) => text).join()}`);
          return { decision: "allow" };
        },
      },
    });
    expect(seen).toEqual(["scopes a+in", "asked make a+in", "runs a+in"]);
    expect(results).toMatchObject([{ text: "a+in+out", isError: false }]);
    // The history keeps what the model wrote.
    expect(agent.messages()[1]).toMatchObject({ parts: [{ type: "call", input: { text: "a" } }] });
  });

  it("of tools that are not there, or not for this agent, are answered with an error", async () => {
    const others: NativeTool = { ...echo, name: "others", audiences: ["code"] };
    const { results, chaos } = await run({ steps: [calls(["others", "a"], ["nowhere", "b"]), end], host: { tools: [echo, others] } });
    expect(results.map(({ tool, isError }) => [tool, isError])).toEqual([
      ["others", true],
      ["nowhere", true],
    ]);
    expect(chaos.requests[0]?.tools?.map(({ name }) => name)).toEqual(["echo"]);
  });

  it("with an input that does not fit say what was expected, and do not run", async () => {
    const tool = counting(String);
    const step: ChaosStep = { kind: "calls", calls: [{ tool: "echo", input: { words: 1 } }] };
    const { results, events } = await run({ steps: [step, end], host: { tools: [tool] } });
    expect(results).toMatchObject([{ isError: true, text: expect.stringContaining("text") }]);
    expect(ofType(events, "tool_start")).toEqual([]);
    expect(tool.count).toBe(0);
  });
});

describe("calls that ask a person", () => {
  const put = {
    name: "put",
    source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "put" }, (api) => {
  api.registerTool({
    name: "put", description: "Puts.", writes: "path",
    input: { type: "object", properties: { path: { type: "string" }, text: { type: "string" } }, required: ["path", "text"] },
    scopes: ({ text }) => ({ scopes: [{ kind: "command", text: "put " + text }] }),
    run: ({ text }) => text,
  });
});`,
  };
  const two = (...texts: string[]): ChaosStep => ({
    kind: "calls",
    calls: texts.map((text) => ({ tool: "put", input: { path: "same.txt", text }, id: text })),
  });

  it("hold up no other call on the same file while they wait", async () => {
    const second = Promise.withResolvers<void>();
    const { agent } = await agentWith({
      steps: [two("a", "free"), end],
      host: {
        tools: [],
        plugins: [put],
        rules: [{ tool: "put", pattern: "put free", effect: "allow" }],
        answer: async () => {
          await second.promise;
          return { decision: "allow" };
        },
      },
    });
    const ended: string[] = [];
    for await (const event of agent.run(said("Go")).events) {
      if (event.type !== "tool_done") continue;
      ended.push(event.toolId);
      if (event.toolId === "free") second.resolve();
    }
    expect(ended).toEqual(["free", "a"]);
  });

  it("get the answer that was given to each", async () => {
    const { results } = await run({
      steps: [two("a", "b"), end],
      host: { tools: [], plugins: [put], answer: ({ scopes: [scope] }) => ({ decision: scope?.text === "put a" ? "deny" : "allow" }) },
    });
    expect(Object.fromEntries(results.map(({ toolId, isError }) => [toolId, isError]))).toEqual({ a: true, b: false });
  });
});

describe("the same call again and again", () => {
  it("is refused from the third on, and the run goes on", async () => {
    const tool = counting(() => "same");
    const { loops, results, done } = await run({ steps: [...steps("a", "a", "a").slice(0, 3), calls(["echo", "b"]), end], host: { tools: [tool] } });
    expect(loops).toMatchObject([{ tool: "echo", kind: "same" }]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, true, false]);
    expect(tool.count).toBe(3);
    expect(done.reason).toBe("end_turn");
  });

  it("ends the run where nothing else comes", async () => {
    const tool = counting(() => "same");
    const { done, loops } = await run({ steps: [calls(["echo", "a"])], host: { tools: [tool] } });
    expect(done.reason).toBe("doom_loop");
    expect([tool.count, loops.length]).toEqual([2, 3]);
  });

  it("counts from where it is told, or not at all", async () => {
    const five = counting(() => "same");
    expect((await run({ steps: [calls(["echo", "a"])], host: { tools: [five] }, repeats: { sameCalls: 5 } })).done.reason).toBe("doom_loop");
    expect(five.count).toBe(4);
    const off = counting(() => "same");
    await run({ steps: steps(..."aaaaaaaa"), host: { tools: [off] }, repeats: { sameCalls: 0 } });
    expect(off.count).toBe(8);
  });

  it("begins anew with what a person says", async () => {
    const tool = counting(() => "same");
    const { agent } = await agentWith({ steps: [...steps("a", "a"), ...steps("a", "a")], host: { tools: [tool] } });
    await eventsOf(agent.run(said("Go")));
    const events = await eventsOf(agent.run(said("Once more")));
    expect(ofType(events, "loop_detected")).toEqual([]);
    expect(tool.count).toBe(4);
  });

  it("is fine for tools that look how something stands", async () => {
    const waits = counting((_, count) => (count < 9 ? "not yet" : "now"), { polls: true });
    const { loops, done } = await run({ steps: steps(..."aaaaaaaaaa"), host: { tools: [waits] } });
    expect([waits.count, loops.length, done.reason]).toEqual([10, 0, "end_turn"]);

    const plugin = {
      name: "poller",
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "poller" }, (api) => {
  api.registerTool({ name: "look", description: "Looks.", input: { type: "object" }, scopes: "none", polls: true, run: () => ({ text: "not yet", isError: true }) });
});`,
    };
    const look: ChaosStep = { kind: "calls", calls: [{ tool: "look", input: {} }] };
    const looked = await run({ steps: [...Array<ChaosStep>(6).fill(look), end], host: { tools: [], plugins: [plugin] } });
    expect([looked.results.length, looked.loops.length, looked.done.reason]).toEqual([6, 0, "end_turn"]);
  });
});

describe("calls that go round", () => {
  it("A-B-A-B with the same results are refused", async () => {
    const tool = counting((text) => `result of ${text}`);
    const { loops } = await run({ steps: steps("a", "b", "a", "b"), host: { tools: [tool] } });
    expect(loops).toMatchObject([{ kind: "cycle" }]);
    expect(tool.count).toBe(3);
  });

  it("A-B-A-B with other results each time are work: an edit, a test, an edit, a test", async () => {
    const tool = counting((text, count) => `${text} ${count}`);
    const { loops } = await run({ steps: steps(..."abababababab"), host: { tools: [tool] } });
    expect([tool.count, loops.length]).toEqual([12, 0]);
  });

  it("many calls that differ are work", async () => {
    const tool = counting(() => "done");
    const texts = Array.from({ length: 40 }, (_, i) => `file ${i}`);
    const { loops } = await run({ steps: steps(...texts), host: { tools: [tool] } });
    expect([tool.count, loops.length]).toEqual([40, 0]);
  });
});

describe("the same error again and again", () => {
  it("is pointed out from the third time on, whatever was called", async () => {
    const fails: NativeTool = { ...echo, run: () => ({ text: "no space left", isError: true }) };
    const { loops, results } = await run({ steps: steps("a", "b", "c"), host: { tools: [fails] } });
    expect(loops).toMatchObject([{ kind: "same_error" }]);
    expect(results.map(({ text }) => text.includes("same error"))).toEqual([false, false, true]);
  });

  it("is another after a success", async () => {
    const fails: NativeTool = { ...echo, run: ({ text }) => ({ text: "no", isError: text !== "fine" }) };
    const { loops } = await run({ steps: steps("a", "b", "fine", "c", "d"), host: { tools: [fails] } });
    expect(loops).toEqual([]);
  });
});
