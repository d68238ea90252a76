import { describe, expect, it } from "vitest";
import { curatedModel, factsOf, modelTable } from "../../../core/models/facts.ts";
import { tiers } from "../../../core/models/model.ts";

describe("modelTable()", () => {
  it("has a model for each tier that it names, and no window smaller than an answer", () => {
    const { models, tiers: all } = modelTable();
    for (const [provider, named] of Object.entries(all)) {
      for (const tier of tiers) if (named[tier] !== undefined) expect(models).toHaveProperty([`${provider}/${named[tier]}`]);
    }
    for (const [id, { contextWindow, maxOutput }] of Object.entries(models)) expect(maxOutput, id).toBeLessThanOrEqual(contextWindow);
  });

  it("sells no stronger model for less than a weaker one", () => {
    for (const provider of Object.keys(modelTable().tiers)) {
      const prices = tiers.flatMap((tier) => factsOf(provider, curatedModel(provider, tier) ?? "", {}, false).price?.output ?? []);
      expect(prices, provider).toEqual(prices.toSorted((a, b) => a - b));
    }
  });
});

describe("factsOf()", () => {
  it("knows a model also by its dated name, and no other by the beginning of one", () => {
    const known = factsOf("anthropic", "claude-haiku-4-5", {}, false);
    expect(known.price).not.toBeNull();
    expect(factsOf("anthropic", "claude-haiku-4-5-20251001", {}, false)).toEqual(known);
    expect(factsOf("anthropic", "claude-haiku-4", {}, false).price).toBeNull();
    expect(factsOf("anthropic", "claude-haiku-4-5-large", {}, false).price).toBeNull();
    expect(factsOf("other", "claude-haiku-4-5", {}, false).price).toBeNull();
    expect(factsOf("a", "toString", {}, false).price).toBeNull();
  });

  it("takes a small window where nothing is known of a local model", () => {
    expect(factsOf("ollama", "x", {}, true)).toEqual({ price: null, contextWindow: 32_768, maxOutput: 8_192, images: false });
    expect(factsOf("openrouter", "x", {}, false).contextWindow).toBe(128_000);
  });
});
