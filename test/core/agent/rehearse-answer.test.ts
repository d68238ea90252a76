import { afterEach, describe, expect, it, vi } from "vitest";
import { rehearseAnswer } from "../../../core/agent/rehearse-answer.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("rehearseAnswer()", () => {
  it("hears a whole answer, and asks no server for it", async () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    expect(await rehearseAnswer()).toBe("One and two.");
    expect(fetched).not.toHaveBeenCalled();
  });
});
