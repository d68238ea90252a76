import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Results } from "./rounds.ts";

const mortise = fileURLToPath(new URL("../../core/cli/mortise.mjs", import.meta.url));

/** From the moment a server of a model writes a word, or the end of an answer, until standard output of `mortise run` shows it; in microseconds. */
export async function shownWords(repeats: number, folder: string): Promise<Results> {
  const cwd = join(folder, "first-word");
  await mkdir(join(cwd, "config"), { recursive: true });
  let wrote = 0;
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: object, finish_reason: string | null = null) => {
      wrote = performance.now();
      response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    };
    send({ role: "assistant", content: "" });
    await sleep(100);
    send({ content: "Word" });
    await sleep(100);
    send({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const models = { default: "bench/one", providers: { bench: { url: `http://127.0.0.1:${port}/v1`, models: { one: {} } } } };
  await writeFile(join(cwd, "config/config.jsonc"), JSON.stringify({ models }));
  const env = { ...process.env, MORTISE_CONFIG_HOME: join(cwd, "config"), MORTISE_STATE_HOME: join(cwd, "state") };

  const shown = async (words: readonly string[], sign: string): Promise<number> => {
    const child = spawn(process.execPath, [mortise, "run", "Go", ...words], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
    let us: number | undefined;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes(sign)) us ??= (performance.now() - wrote) * 1_000;
    });
    await new Promise((resolve) => child.once("close", resolve));
    if (us === undefined) throw new Error(`mortise run ${words.join(" ")} showed no ${sign}`);
    return us;
  };
  const [word, answer]: [number[], number[]] = [[], []];
  try {
    for (let i = 0; i <= repeats; i++) {
      const first = await shown(["--output", "stream-json", "--include-partial-messages"], "text_delta");
      const whole = await shown([], "Word");
      // The first one fills the cache of compiled code.
      if (i === 0) continue;
      word.push(first);
      answer.push(whole);
    }
  } finally {
    server.close();
  }
  return new Map([
    ["first word, on standard output", { unit: "us", rounds: [word] }],
    ["answer, on standard output", { unit: "us", rounds: [answer] }],
  ]);
}
