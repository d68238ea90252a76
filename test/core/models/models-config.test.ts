import { describe, expect, it } from "vitest";
import { loadSettings } from "../../../core/config/settings.ts";
import { defaultModel, openModel } from "../../../core/models/open-model.ts";
import { freshHome } from "../config/home.ts";

describe("models of the config", () => {
  const load = async (text: string) => {
    const home = await freshHome();
    home.write("config/config.jsonc", text);
    return loadSettings({ cwd: home.root, folders: home.folders });
  };

  it("opens a provider that the config adds", async () => {
    const settings = await load(
      '{ "models": { "default": "mine/small", "providers": { "mine": { "url": "http://127.0.0.1:9/v1", "models": { "small": { "contextWindow": 4096 } } } } } }',
    );
    expect(defaultModel(settings)).toBe("mine/small");
    expect(await openModel("mine/small", settings)).toMatchObject({ id: "mine/small", contextWindow: 4_096, maxOutput: 4_096, price: null });
  });

  it("needs none: rules that are no model are the default, and cost nothing", async () => {
    const settings = await load("{}");
    expect(defaultModel(settings)).toBe("embedded/scripted");
    expect(await openModel("embedded/scripted", settings)).toMatchObject({ price: { input: 0, output: 0 } });
  });

  it.each([
    '{ "models": { "default": "nothing" } }',
    '{ "models": { "providers": { "mine": { "url": "ftp://x" } } } }',
    '{ "models": { "providers": { "mine": { "api_key": "x" } } } }',
    '{ "models": { "providers": { "mine": { "url": "http://x/v1", "key": [] } } } }',
    '{ "models": { "tiers": { "huge": "a/b" } } }',
    '{ "models": { "providers": { "mine": { "url": "http://x/v1", "keyEnv": "MINE" } } } }',
  ])("refuses %s, with its place", async (text) => {
    await expect(load(text)).rejects.toMatchObject({ code: "file_broken", seen: expect.stringContaining("config.jsonc:1:") });
  });

  it("does not show a key that is misplaced in the error about it", async () => {
    const broken = load('{ "models": { "providers": { "mine": { "url": "http://x/v1", "key": [["sk-abcdefghijklmnopqrst"]] } } } }');
    const error = await broken.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "file_broken" });
    expect(String(error)).not.toContain("abcdefghijkl");
  });
});
