import { describe, expect, it } from "vitest";
import { createToolOffer, namesIn } from "../../../../core/cli/headless/tool-offer.ts";

const tools = ["bash", "read", "todo_write", "tool_search"];

describe("createToolOffer()", () => {
  it("offers all, those that are named, or all but those; what is disallowed never", () => {
    expect(tools.filter(createToolOffer({}).offers)).toEqual(tools);
    expect(tools.filter(createToolOffer({ allowed: ["read", "TodoWrite", "ToolSearch"] }).offers)).toEqual(["read", "todo_write", "tool_search"]);
    expect(tools.filter(createToolOffer({ allowed: ["read", "bash"], disallowed: ["Bash"] }).offers)).toEqual(["read"]);
    expect(tools.filter(createToolOffer({ allowed: [] }).offers)).toEqual([]);
  });

  it("refuses names that no tool has, with close ones", () => {
    const offer = createToolOffer({ allowed: ["raed"], disallowed: ["bash", "Nothing"] });
    tools.filter(offer.offers);
    expect(() => offer.check()).toThrow(expect.objectContaining({ code: "usage", seen: expect.stringContaining('"raed"; did you mean "read"?') }));
    const right = createToolOffer({ allowed: ["Read"], disallowed: ["todo_write"] });
    tools.filter(right.offers);
    right.check();
  });
});

describe("namesIn()", () => {
  it("splits at commas outside of parentheses", () => {
    expect(namesIn(" Read, Bash(git log, x) ,,Edit")).toEqual(["Read", "Bash(git log, x)", "Edit"]);
    expect(namesIn("")).toEqual([]);
  });
});
