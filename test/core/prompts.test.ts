import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../core/host-types.ts";
import type { PromptRequest } from "../../core/permission/permission.ts";
import { watchedPrompts } from "../../core/prompts.ts";

const request = (sessionId: string): PromptRequest => ({
  id: "p1",
  tool: "bash",
  toolId: "t1",
  sessionId,
  input: {},
  scopes: [],
  reasons: [],
  suggestions: [],
  asksAgain: [],
  denials: [],
  signal: new AbortController().signal,
});

describe("watchedPrompts()", () => {
  it("tells of the prompts of one session, and of nothing once it is undone", async () => {
    const prompts = watchedPrompts();
    const told: PromptEvent["kind"][] = [];
    const undo = prompts.watch("a", ({ kind }) => void told.push(kind));
    const ask = prompts.watched(async () => ({ decision: "allow" }));
    expect(await ask(request("a"))).toEqual({ decision: "allow" });
    await ask(request("b"));
    undo();
    await ask(request("a"));
    expect(told).toEqual(["asked", "answered"]);
  });

  it("takes a prompt that fails for a denial, and fails as it did", async () => {
    const prompts = watchedPrompts();
    const told: unknown[] = [];
    prompts.watch("a", (event) => void told.push(event.kind === "answered" ? event.decision : event.kind));
    const ask = prompts.watched(() => Promise.reject(new Error("the terminal is gone")));
    await expect(ask(request("a"))).rejects.toThrow("the terminal is gone");
    expect(told).toEqual(["asked", "deny"]);
  });
});
