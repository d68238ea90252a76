import { describe, expect, it } from "vitest";
import { createAnswer } from "../../../core/agent/answer.ts";

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const call = (id: string, input: unknown, isInvalid = false) => ({ id, tool: "t", input, isInvalid, provider: undefined });

describe("createAnswer()", () => {
  it("joins what streams, in the order in which it began, with what the provider wants back", () => {
    const answer = createAnswer();
    answer.begin("thinking", "1");
    answer.begin("text", "2");
    answer.add("1", "Hm", undefined);
    answer.add("2", "Hel", undefined);
    answer.add("2", "lo", undefined);
    answer.mark("1", { anthropic: { signature: "s" } });
    answer.end("stop", usage);
    expect(answer.parts).toEqual([
      { type: "thinking", text: "Hm", provider: { anthropic: { signature: "s" } } },
      { type: "text", text: "Hello" },
    ]);
    expect(answer.text()).toBe("Hello");
  });

  it("takes calls that began and never ended for broken", () => {
    const answer = createAnswer();
    answer.beginCall("c1", "functions.t");
    answer.addInput("c1", '{"a": 1');
    answer.end("tool-calls", usage);
    expect(answer.parts).toEqual([{ type: "call", toolId: "c1", tool: "t", input: {} }]);
    expect([...answer.broken.keys()]).toEqual(["c1"]);
  });

  it("takes the last call of an answer that was cut for broken, unless its input is whole", () => {
    const cut = createAnswer();
    cut.beginCall("c1", "t");
    cut.call(call("c1", {}));
    cut.end("length", usage);
    expect([...cut.broken.keys()]).toEqual(["c1"]);
    const whole = createAnswer();
    whole.beginCall("c1", "t");
    whole.addInput("c1", '{"a": 1}');
    whole.call(call("c1", { a: 1 }));
    whole.end("length", usage);
    expect([...whole.broken.keys()]).toEqual([]);
  });

  it("gives every call an id of its own", () => {
    const answer = createAnswer((id) => id === "old");
    expect(answer.beginCall("old", "t")).toMatchObject({ toolId: "old_2" });
    answer.call(call("old", {}));
    for (const id of ["c", "c", "c_2", "", ""]) answer.call(call(id, {}));
    expect(answer.parts.map((part) => (part.type === "call" ? part.toolId : ""))).toEqual(["old_2", "c", "c_2", "c_2_2", "call", "call_2"]);
  });
});
