import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startOpenAiServer } from "../../fake-servers/openai.ts";
import { type Scratch, scratch } from "./run-cli.ts";

const SECRET = "a-key-of-nobody-0123456789";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

const config = (models: object) => here.write("home/config/config.jsonc", JSON.stringify({ models }));
/** Nothing of the machine's own keys counts. */
const env = { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", GEMINI_API_KEY: "", GOOGLE_GENERATIVE_AI_API_KEY: "", GROQ_API_KEY: "" };

describe("doctor", () => {
  it("warns where a model that the config names cannot be asked, and says what to do", async () => {
    await config({ default: "anthropic/claude-haiku-4-5", tiers: { weak: "groq/small" } });
    const { code, stdout } = await here.run(["doctor"], { env: { ...env, GROQ_API_KEY: SECRET } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning +model: anthropic\/claude-haiku-4-5: .*ANTHROPIC_API_KEY.*\n +`mortise models`/m);
    expect(stdout).toMatch(/^ok +model: groq\/small$/m);
    expect(stdout).not.toContain(SECRET);
  });
});

describe("models", () => {
  it("says of each provider whether it has a key, and where", async () => {
    await config({
      default: "mine/small",
      providers: {
        mine: { url: "https://name:password@models.example/v1?token=t0ken", key: [SECRET, `${SECRET}-2`] },
        plain: { url: "http://models.example/v1" },
      },
    });
    const { code, stdout, stderr } = await here.run(["models"], { env: { ...env, ANTHROPIC_API_KEY: SECRET, PLAIN_API_KEY: SECRET } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^mine +2 keys +config +https:\/\/models\.example\/v1$/m);
    expect(stdout).toMatch(/^plain +no key for an unencrypted address +PLAIN_API_KEY /m);
    expect(stdout).toMatch(/^anthropic +1 key +ANTHROPIC_API_KEY$/m);
    expect(stdout).toMatch(/^groq +no key +GROQ_API_KEY /m);
    expect(stdout).toMatch(/^ollama +this machine /m);
    expect(stdout).toMatch(/^default +mine\/small$/m);
    expect(stdout).not.toMatch(/of-nobody|password|t0ken/);
  });

  it("says it as JSON, without a key", async () => {
    await config({
      tiers: { weak: "mine/small" },
      providers: { mine: { url: "https://models.example/v1", key: SECRET, models: { small: { contextWindow: 4_096 } } } },
    });
    const { stdout } = await here.run(["models", "--json"], { env });
    const { tiers, providers, local, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ default: "embedded/scripted" });
    expect(tiers).toEqual({ weak: "mine/small", medium: null, strong: null });
    expect(local).toBeUndefined();
    expect(providers[0]).toMatchObject({
      name: "mine",
      ready: true,
      key: { needed: false, from: "config", count: 1 },
      models: [{ id: "mine/small", tier: "weak", contextWindow: 4_096 }],
    });
    expect(stdout).not.toContain(SECRET);
  });

  it("lists the models of one, and refuses one that is not there", async () => {
    const { code, stdout } = await here.run(["models", "anthropic"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^anthropic\/claude-haiku-4-5 +weak +200000 tokens +answers 64000 +\$1 in, \$5 out$/m);
    const refused = await here.run(["models", "antropic"], { env });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("anthropic");
  });

  it("finds servers on this machine where that is asked for, without a key", async () => {
    const server = await startOpenAiServer([]);
    onTestFinished(() => server.close());
    await config({ providers: { mine: { url: server.url, key: SECRET }, other: { url: "https://models.example/v1" } } });
    // On a busy machine an answer may come later than it is waited for.
    const found = async (...more: string[]) => (await here.run(["models", "mine", "--local", ...more])).stdout;
    await expect.poll(() => found(), { timeout: 30_000 }).toBe(`mine/fake-1  4096 tokens  ${server.url}\n`);
    await expect
      .poll(async () => JSON.parse(await found("--json")).local, { timeout: 30_000 })
      .toEqual([{ provider: "mine", url: server.url, models: [{ name: "fake-1", contextWindow: 4_096 }] }]);
    await server.close();
    const none = await here.run(["models", "mine", "--local"]);
    expect(none).toMatchObject({ code: 0, stdout: "" });
    expect(none.stderr).toContain("No model server answers");
  });
});
