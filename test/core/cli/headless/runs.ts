import { afterEach, beforeEach } from "vitest";
import type { ModelServer, ServerStep } from "../../../fake-servers/model-server.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";
import { type Ended, type Scratch, scratch } from "../run-cli.ts";

/** A folder of its own for each test of a file, and models that do what their steps say. */
export function runs() {
  let here: Scratch;
  const servers: ModelServer[] = [];
  beforeEach(async () => {
    here = await scratch();
  });
  afterEach(async () => {
    await here.remove();
    for (const server of servers.splice(0)) await server.close();
  });
  return {
    get here() {
      return here;
    },
    /** A model that does what the steps say, as the one of the config. */
    async model(...steps: ServerStep[]): Promise<ModelServer> {
      const server = await startOpenAiServer(steps);
      servers.push(server);
      const one = { images: true, price: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } };
      const models = { default: "fake/one", providers: { fake: { url: server.url, models: { one } } } };
      await here.write("home/config/config.jsonc", JSON.stringify({ models }));
      return server;
    },
  };
}

/** What a run printed, a value a line. */
export const valuesOf = ({ stdout }: Pick<Ended, "stdout">): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

export const resultsOf = (end: Pick<Ended, "stdout">) => valuesOf(end).filter(({ type }) => type === "result");

export const bash = (command: string): ServerStep => ({ kind: "calls", calls: [{ tool: "bash", input: { command } }] });
