import { describe, expect, it } from "vitest";
import type { Message } from "../../../core/agent/message.ts";
import { NO_RESULT, validHistory } from "../../../core/session/valid-history.ts";
import { calls, result, results, says, user } from "./scratch.ts";

describe("validHistory()", () => {
  it("leaves a history that is right as it is, object by object", () => {
    const history = [user("a"), calls("1", "2"), results("1", "2"), user("b"), says("c")];
    const valid = validHistory(history);
    expect(valid).toMatchObject({ closed: 0, dropped: 0 });
    expect(valid.messages).toHaveLength(history.length);
    for (const [i, message] of valid.messages.entries()) expect(message).toBe(history[i]);
  });

  it("gives calls without a result one that is an error", () => {
    const { messages, closed } = validHistory([calls("1", "2"), results("2"), calls("3"), user("b")]);
    expect(closed).toBe(2);
    const missing = (toolId: string) => ({ toolId, tool: "read", text: NO_RESULT, isError: true });
    expect(messages).toEqual([
      calls("1", "2"),
      { role: "tool", results: [missing("1"), result("2")] },
      calls("3"),
      { role: "tool", results: [missing("3")] },
      user("b"),
    ]);
  });

  it("drops results without a call, with their images", () => {
    const image = { mediaType: "image/png", base64: "AAAA" };
    const orphan: Message = { role: "tool", results: [{ ...result("9"), images: [image] }] };
    expect(validHistory([orphan, user("a"), calls("1"), results("1", "8", "1"), orphan])).toEqual({
      messages: [user("a"), calls("1"), results("1")],
      closed: 0,
      dropped: 4,
    });
  });

  it("puts results in the order of the calls", () => {
    expect(validHistory([calls("1", "2", "3"), results("3", "1", "2")]).messages[1]).toEqual(results("1", "2", "3"));
  });

  it("says the same of what it made", () => {
    const parts: Message[] = [
      user("u"),
      calls("1"),
      calls("1", "2"),
      results("1"),
      results("2", "1"),
      says("s"),
      { role: "assistant", parts: [], model: "m" },
    ];
    for (let seed = 0; seed < 500; seed++) {
      const random = Array.from({ length: seed % 9 }, (_, i) => parts[(seed * 31 + i * i * 17 + i * seed) % parts.length] ?? user(""));
      const once = validHistory(random).messages;
      expect(validHistory(once)).toEqual({ messages: once, closed: 0, dropped: 0 });
    }
  });
});
