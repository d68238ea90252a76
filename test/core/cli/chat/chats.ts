import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { ModelServer } from "../../../fake-servers/model-server.ts";
import { pidIn, type Scratch, scratch } from "../run-cli.ts";
import { openPane, type Pane } from "./pane.ts";
import { startToldServer } from "./told-server.ts";

/** The chat waits for the person. */
export const READY = /─{20}\n[\s\S]*(fake\/fake-1|embedded\/scripted)/;

/** What is sent to have the model ask for tools. */
export const calls = (...all: { tool: string; input: unknown }[]) => JSON.stringify({ kind: "calls", calls: all });
export const bash = (command: string) => calls({ tool: "bash", input: { command } });

type Options = Parameters<typeof openPane>[2];

/** A chat in a terminal and a folder of its own for each test of a file, with a model that does as it is told. */
export function chats() {
  let server: ModelServer;
  let here: Scratch;
  let pane: Pane | undefined;
  beforeAll(async () => {
    server = await startToldServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    here = await scratch();
    await here.write("home/config/config.jsonc", JSON.stringify({ models: { providers: { fake: { url: server.url } } } }));
  });
  afterEach(async () => {
    await pane?.close();
    pane = undefined;
    await here.remove();
  });

  async function start(words: readonly string[], options: Options = {}): Promise<Pane> {
    pane = await openPane(here, words, options);
    return pane;
  }

  return {
    get here() {
      return here;
    },
    start,
    /** The same, once it waits for the person. */
    async open(words: readonly string[] = ["--model", "fake/fake-1"], options: Options = {}): Promise<Pane> {
      const opened = await start(words, options);
      await opened.until(READY);
      return opened;
    },
    pidIn: (name: string) => pidIn(join(here.folder, name)),
  };
}
