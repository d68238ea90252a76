import { describe, expect, it } from "vitest";
import { withoutQuotes } from "../../../core/agent/unquoted.ts";

const text = 'My password is "hunter2", and I live\nin a house by the sea, with a red door. What is the weather like?';
const request = { instructions: "You are of help.", messages: [{ role: "user" as const, text }] };

describe("withoutQuotes()", () => {
  it.each([
    ["as it was", text.replace("\n", " ")],
    ["as JSON", JSON.stringify({ messages: [{ content: text }] })],
    ["a part of it", text.slice(20, 80).replace("\n", " ")],
  ])("takes out what is quoted of a request, %s", (_, quoted) => {
    const left = withoutQuotes(`The request was odd: ${quoted} (see the manual)`, request);
    expect(left).toMatch(/^The request was odd: .*\[\.\.\.\].*\(see the manual\)$/);
    expect(left).not.toMatch(/hunter2|house|red door|weather/);
  });

  it("takes out a short message that is quoted whole", () => {
    expect(withoutQuotes("no: a private wish?", { instructions: "", messages: [{ role: "user", text: "a private wish" }] })).toBe("no: [...]?");
  });

  it("takes out results and inputs of calls", () => {
    const messages = [
      { role: "assistant" as const, parts: [{ type: "call" as const, toolId: "c", tool: "t", input: { path: "a/secret/place" } }], model: "m" },
      { role: "tool" as const, results: [{ toolId: "c", tool: "t", text: "the contents of a file", isError: false }] },
    ];
    expect(withoutQuotes('500: {"path":"a/secret/place"} the contents of a file', { instructions: "", messages })).toBe("500: [...] [...]");
  });

  it("leaves alone what is not of the request", () => {
    const said = "400: prompt is too long: 215000 tokens > 200000 maximum";
    expect(withoutQuotes(said, request)).toBe(said);
    expect(withoutQuotes("", request)).toBe("");
  });

  it("takes no time over a long request", () => {
    const long = {
      instructions: "",
      messages: Array.from({ length: 200 }, (_, i) => ({ role: "user" as const, text: `${i} ${"lorem ipsum ".repeat(1_000)}` })),
    };
    const begun = performance.now();
    withoutQuotes("x".repeat(500), long);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
