import { describe, expect, it } from "vitest";
import { curatedModel } from "../../../core/models/facts.ts";
import type { Tier } from "../../../core/models/model.ts";
import type { ModelsConfig } from "../../../core/models/models-config.ts";
import { modelOfTier, tierOf } from "../../../core/models/tiers.ts";

const curated = (tier: Tier) => `anthropic/${curatedModel("anthropic", tier)}`;
const settings = (models: ModelsConfig = {}) => ({ models, environment: { ANTHROPIC_API_KEY: "x", OPENAI_API_KEY: "y" } });
const local = (models: Record<string, { tier?: Tier }>) => ({ providers: { mine: { url: "http://127.0.0.1:1/v1", models } } });

describe("tierOf()", () => {
  it("takes the config's word over all", () => {
    expect(tierOf(curated("weak"), settings({ tiers: { strong: curated("weak") } }))).toBe("strong");
    expect(tierOf("mine/a", settings(local({ a: { tier: "weak" }, b: {} })))).toBe("weak");
  });

  it("takes the table's for a model that it names", () => {
    expect(tierOf(curated("weak"), settings())).toBe("weak");
    expect(tierOf(curated("strong"), settings())).toBe("strong");
  });

  it("goes by place where a provider lists its models and the table has none of it", () => {
    const listed = settings(local({ big: {}, middle: {}, small: {}, tiny: {} }));
    expect(["big", "middle", "small", "tiny"].map((name) => tierOf(`mine/${name}`, listed))).toEqual(["strong", "medium", "weak", "weak"]);
  });

  it("is medium for what nobody knows", () => {
    expect(tierOf("mine/unknown", settings(local({ big: {}, small: {} })))).toBe("medium");
    expect(tierOf("ollama/x", settings())).toBe("medium");
  });
});

describe("modelOfTier()", () => {
  it("never goes above the parent, and keeps its very model at its own tier", () => {
    const parent = curated("medium");
    expect(modelOfTier("strong", parent, settings())).toBe(parent);
    expect(modelOfTier("medium", parent, settings())).toBe(parent);
    expect(modelOfTier(undefined, parent, settings())).toBe(parent);
    expect(modelOfTier("weak", parent, settings())).toBe(curated("weak"));
  });

  it("takes the config's model of a tier first, where it can be used", () => {
    expect(modelOfTier("weak", curated("strong"), settings({ tiers: { weak: "ollama/small" } }))).toBe("ollama/small");
    expect(modelOfTier("weak", curated("strong"), settings({ tiers: { weak: "mistral/small" } }))).toBe(curated("weak"));
  });

  it("takes what a provider lists: by tier, else by place", () => {
    expect(modelOfTier("weak", "mine/a", settings(local({ a: { tier: "strong" }, z: { tier: "weak" }, b: { tier: "weak" } })))).toBe("mine/b");
    expect(modelOfTier("weak", "mine/a", settings(local({ a: {}, b: {} })))).toBe("mine/b");
  });

  it("skips a model that the config gives to another tier", () => {
    const models = { ...local({ a: {}, b: {} }), tiers: { strong: "mine/b" } };
    expect(modelOfTier("weak", "mine/b", settings(models))).toBe("mine/b");
  });

  it("stays with the parent where its provider has nothing else, and with rules that are no model", () => {
    expect(modelOfTier("weak", "ollama/x", settings())).toBe("ollama/x");
    expect(modelOfTier("weak", "embedded/scripted", settings())).toBe("embedded/scripted");
  });
});
