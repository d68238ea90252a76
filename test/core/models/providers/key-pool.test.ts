import { describe, expect, it, onTestFinished } from "vitest";
import { classifyError } from "../../../../core/models/errors/classify-error.ts";
import type { ProviderConfig } from "../../../../core/models/models-config.ts";
import { openModel } from "../../../../core/models/open-model.ts";
import type { SeenRequest, ServerStep } from "../../../fake-servers/model-server.ts";
import { kinds, startServer } from "../../../fake-servers/start-server.ts";
import { ask, user } from "../asking.ts";

const [one, two, three] = ["first-key-of-nobody", "second-key-of-nobody", "third-key-of-nobody"];
const ok: ServerStep = { kind: "text", text: "ok" };

function keyIn({ headers }: SeenRequest): string {
  return /\w+-key-of-nobody/.exec(JSON.stringify(headers))?.[0] ?? "";
}

/** A model whose server answers each key as it is said, `ok` unless it is. */
async function keyed(by: Readonly<Record<string, ServerStep>>, said: ProviderConfig, environment: NodeJS.ProcessEnv = {}) {
  const server = await startServer(said.kind ?? "openai-compatible", (request) => by[keyIn(request)] ?? ok);
  onTestFinished(() => server.close());
  const model = await openModel("mine/fake-1", { models: { providers: { mine: { url: server.url, ...said } } }, environment });
  return { asked: () => ask(model.languageModel, { messages: [user("hi")] }), tried: () => server.requests.map(keyIn) };
}

const refused: ServerStep = { kind: "status", status: 401 };
const limited = (seconds?: number): ServerStep => ({
  kind: "status",
  status: 429,
  ...(seconds === undefined ? {} : { headers: { "retry-after": String(seconds) } }),
});

describe("poolModels()", () => {
  it.each(kinds)("tries the next key where one is refused, may not, or is at its limit, and stays with what worked: %s", async (kind) => {
    for (const failure of [refused, { kind: "status", status: 403 } as const, limited(600)]) {
      const { asked, tried } = await keyed({ [one]: failure }, { kind, keyEnv: "MINE_KEY" }, { MINE_KEY: `${one}, ${two},` });
      expect(await asked()).toMatchObject({ text: "ok", errors: [] });
      expect(await asked()).toMatchObject({ text: "ok" });
      expect(tried()).toEqual([one, two, two]);
    }
  });

  it.each(["openai-compatible", "anthropic", "openai"] as const)(
    "tries the next key where the response begins and then says so, and not once anything came: %s",
    async (kind) => {
      const within = (text: string): ServerStep => ({ kind: "stream_error", text, type: "rate_limit_error", message: "This key is at its limit" });
      const { asked, tried } = await keyed({ [one]: within("") }, { kind, key: [one, two] });
      expect(await asked()).toMatchObject({ text: "ok", errors: [], finish: "stop" });
      await asked();
      expect(tried()).toEqual([one, two, two]);

      const late = await keyed({ [one]: within("It is") }, { kind, key: [one, two] });
      const heard = await late.asked();
      expect([heard.text, heard.errors.length, late.tried()]).toEqual(["It is", 1, [one]]);
    },
  );

  it("fails with what the last one says where every response begins so", async () => {
    const within: ServerStep = { kind: "stream_error", text: "", type: "rate_limit_error", message: "at its limit" };
    const { asked, tried } = await keyed({ [one]: within, [two]: within }, { key: [one, two] });
    const { errors } = await asked();
    expect(errors).toHaveLength(1);
    expect(classifyError(errors[0])).toMatchObject({ class: "rate_limit" });
    expect(tried()).toEqual([one, two]);
  });

  it("takes keys of the config over those of the environment, each once", async () => {
    const { asked, tried } = await keyed({ [one]: refused }, { key: [one, one, two] }, { MINE_API_KEY: three });
    expect(await asked()).toMatchObject({ text: "ok" });
    expect(tried()).toEqual([one, two]);
  });

  it("walks the pool once, and then fails with the limit that is over soonest", async () => {
    const { asked, tried } = await keyed({ [one]: limited(600), [two]: limited(7), [three]: refused }, { key: [one, two, three] });
    const { errors } = await asked();
    expect(tried()).toEqual([one, two, three]);
    expect(classifyError(errors[0])).toMatchObject({ class: "rate_limit", retryAfterMs: 7_000 });
  });

  it("says that the key is refused where every one is, and shows none", async () => {
    const echo = (key: string): ServerStep => ({ kind: "status", status: 401, error: { message: `no such key: ${key}` } });
    const { asked } = await keyed({ [one]: echo(one), [two]: echo(one) }, { key: [one, two] });
    const { errors } = await asked();
    expect(classifyError(errors[0])).toMatchObject({ class: "auth" });
    expect(JSON.stringify([errors, String(errors[0]), classifyError(errors[0])])).not.toContain("of-nobody");
  });

  it.each([400, 404, 500])("sends nothing with another key after a %s", async (status) => {
    const { asked, tried } = await keyed({ [one]: { kind: "status", status } }, { key: [one, two] });
    expect((await asked()).errors).toHaveLength(1);
    expect(tried()).toEqual([one]);
  });
});
