import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { withAgent } from "../../../../core/cli/headless/with-agent.ts";
import { createStdio } from "../../../../core/cli/stdio.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";
import { doneOf, eventsOf, ofType, said } from "../../agent/agent-with.ts";
import { type Scratch, scratch } from "../run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
  for (const name of ["MORTISE_CONFIG_HOME", "MORTISE_CACHE_HOME", "MORTISE_STATE_HOME"]) vi.stubEnv(name, here.env[name]);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await here.remove();
});

const { signal } = new AbortController();
const cli = { stdio: createStdio(signal), aborted: signal, onCrash: () => {} };

describe("withAgent()", () => {
  it("reads the settings again once a person mended a key that was refused", async () => {
    const server = await startOpenAiServer(({ headers }) =>
      headers.authorization === "Bearer the-right-key" ? { kind: "text", text: "ok" } : { kind: "status", status: 401 },
    );
    onTestFinished(() => server.close());
    const config = (key: string) =>
      here.write("home/config/config.jsonc", JSON.stringify({ models: { default: "mine/one", providers: { mine: { url: server.url, key } } } }));
    await config("the-wrong-key");
    const asked: string[] = [];
    const askForKey = async ({ model }: { model: string }) => {
      asked.push(model);
      await config("the-right-key");
      return true;
    };
    const options = { grant: true, plugins: true, cwd: here.folder };
    const events = await withAgent(options, { askForKey }, cli, ({ backend }) => eventsOf(backend.run(said("Go"))));
    expect(asked).toEqual(["mine/one"]);
    expect(ofType(events, "notice")).toMatchObject([{ code: "auth_required" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "ok" });

    await config("the-wrong-key");
    const refused = await withAgent(options, { askForKey: async () => false }, cli, ({ backend }) => eventsOf(backend.run(said("Go"))));
    expect(doneOf(refused)).toMatchObject({ reason: "error", error: { code: "model_key_refused" } });
  });
});
