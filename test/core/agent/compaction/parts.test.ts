import { describe, expect, it } from "vitest";
import { chooseCollapse, forSummary } from "../../../../core/agent/compaction/collapse.ts";
import { defaultCompaction, usableTokens } from "../../../../core/agent/compaction/settings.ts";
import { splitHistory, withoutOldestRound } from "../../../../core/agent/compaction/split.ts";
import type { Message } from "../../../../core/agent/message.ts";

const user = (text: string): Message => ({ role: "user", text });
const says = (text: string): Message => ({ role: "assistant", parts: [{ type: "text", text }], model: "m" });
const calls = (toolId: string): Message => ({
  role: "assistant",
  parts: [
    { type: "thinking", text: "Hm." },
    { type: "call", toolId, tool: "read", input: { path: toolId } },
  ],
  model: "m",
});
const result = (toolId: string, text: string): Message => ({ role: "tool", results: [{ toolId, tool: "read", text, isError: false }] });

describe("usableTokens()", () => {
  it.each([
    [{ contextWindow: 200_000, maxOutput: 32_000 }, 0.2, 160_000],
    [{ contextWindow: 200_000, maxOutput: 32_000 }, 50_000, 150_000],
    [{ contextWindow: 4_096, maxOutput: 4_096 }, 0.2, 2_048],
    [{ contextWindow: 8_000, maxOutput: 1_000 }, 0.01, 7_000],
    [{ contextWindow: 10_000, maxOutput: 1_000 }, 1_000_000, 5_000],
  ])("leaves of %o with a buffer of %d %d tokens", (model, buffer, tokens) => {
    expect(usableTokens(model, { ...defaultCompaction, buffer })).toBe(tokens);
  });
});

describe("splitHistory()", () => {
  const history = [user("a".repeat(400)), calls("t1"), result("t1", "b".repeat(400)), says("c".repeat(40)), user("new")];

  it("keeps what fits, and never parts a call from its result", () => {
    const split = (tokens: number) => splitHistory(history, 4, tokens).tail.length;
    expect([0, 9, 10, 110, 115, 130, 240].map(split)).toEqual([0, 0, 1, 1, 3, 3, 4]);
  });

  it("carries what no turn has answered", () => {
    expect(splitHistory(history, 4, 0)).toEqual({ head: history.slice(0, 4), tail: [], carried: [user("new")] });
  });
});

describe("withoutOldestRound()", () => {
  it("leaves out a message of the user and what was answered to it", () => {
    const rest = withoutOldestRound([user("1"), calls("t1"), result("t1", "x"), says("one"), user("2"), says("two")]);
    expect(rest).toEqual([user("2"), says("two")]);
    expect(withoutOldestRound(rest ?? [])).toBeUndefined();
  });
});

describe("chooseCollapse()", () => {
  it("keeps the newest results that fit; a huge one costs the small ones before it nothing", () => {
    const messages = [
      ["t1", 10],
      ["t2", 60],
      ["t3", 5_000],
      ["t4", 40],
    ].flatMap(([id, size]) => [calls(String(id)), result(String(id), "é".repeat(Number(size) / 2))]);
    const choice = chooseCollapse(messages, 100);
    expect(choice.collapse).toEqual([1, 3]);
    expect(choice.results.map(({ index, tool, input, bytes }) => [index, tool, input, bytes])).toEqual([
      [1, "read", { path: "t1" }, 10],
      [2, "read", { path: "t2" }, 60],
      [3, "read", { path: "t3" }, 5_000],
      [4, "read", { path: "t4" }, 40],
    ]);
    expect(chooseCollapse(messages, 0).collapse).toEqual([1, 2, 3, 4]);
  });
});

describe("forSummary()", () => {
  it("has no images, no thinking, and a placeholder for what is left out", () => {
    const image = { mediaType: "image/png", base64: "AAAA" };
    const made = forSummary(
      [
        { role: "user", text: "Look", images: [image] },
        calls("t1"),
        { role: "tool", results: [{ toolId: "t1", tool: "read", text: "long", isError: false, images: [image] }] },
        calls("t2"),
        result("t2", "kept"),
      ],
      [1],
    );
    expect(made).toEqual([
      { role: "user", text: "Look\n[an image]" },
      { role: "assistant", parts: [{ type: "call", toolId: "t1", tool: "read", input: { path: "t1" } }], model: "m" },
      { role: "tool", results: [{ toolId: "t1", tool: "read", text: "[a result of 4 bytes, left out]", isError: false }] },
      { role: "assistant", parts: [{ type: "call", toolId: "t2", tool: "read", input: { path: "t2" } }], model: "m" },
      { role: "tool", results: [{ toolId: "t2", tool: "read", text: "kept", isError: false }] },
    ]);
  });
});
