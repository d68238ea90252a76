import { describe, expect, it } from "vitest";
import { resultText } from "../../../plugins/task/result-text.ts";
import type { AgentAnswer } from "../../../sdk/api.ts";

const session = { model: "a/b", tier: "medium", clamped: false } as const;
const answer = (part: Partial<AgentAnswer>): AgentAnswer => ({
  text: "Found it.",
  ended: "done",
  calls: [{ tool: "read", calls: 3, failed: 1, denied: 0 }],
  turns: 4,
  tokens: 900,
  costUsd: 0.01,
  durationMs: 10,
  ...part,
});

describe("resultText()", () => {
  it("is the answer alone where the task was done", () => {
    expect(resultText(answer({}), session)).toMatchObject({
      text: "Found it.",
      isError: false,
      data: { ended: "done", tier: "medium", tokens: 900 },
    });
  });

  it("is the JSON alone where a schema was given, whatever else there is to say", () => {
    const { text, isError } = resultText(answer({ output: { a: 1 } }), { ...session, clamped: true });
    expect(JSON.parse(text)).toEqual({ a: 1 });
    expect(isError ?? false).toBe(false);
  });

  it.each(["max_turns", "max_tokens", "max_cost", "stuck", "length"] as const)(
    "keeps an answer that was given at the last, and says what happened: %s",
    (ended) => {
      const { text, isError } = resultText(answer({ ended }), session);
      expect(text).toMatch(/^Found it\.\n\n\[.+\]$/s);
      expect(isError).toBe(false);
    },
  );

  it.each(["timeout", "cancelled", "error", "no_output", "dropped"] as const)("is an error with what was said where it was cut: %s", (ended) => {
    const { text, isError, cut } = resultText(answer({ ended, error: { code: "model_failed", message: "The model could not answer." } }), session);
    expect(text).toMatch(/^Found it\.\n\n\[/);
    expect(isError).toBe(true);
    expect(cut).toBe(ended === "timeout" || ended === "cancelled" ? ended : undefined);
  });

  it("says which calls were made where nothing was said", () => {
    const { text, isError } = resultText(answer({ text: "", ended: "max_turns" }), session);
    expect(text).toContain("read 3 (1 failed)");
    expect(isError).toBe(true);
    expect(resultText(answer({ text: "", ended: "done" }), session)).toMatchObject({ isError: true });
  });

  it("says what was denied, and that no stronger model may be had", () => {
    const calls = [{ tool: "bash", calls: 2, failed: 0, denied: 2 }];
    expect(resultText(answer({ calls }), { ...session, clamped: true }).text).toMatch(/^Found it\.\n\n\[[^\]]*bash 2[^\]]*\]\n\[[^\]]*a\/b[^\]]*\]$/);
  });
});
