import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelServer } from "../../../fake-servers/model-server.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";
import { ended, type Scratch, scratch, until } from "../run-cli.ts";

/** How often a run gets a signal at a random moment; `MORTISE_SIGNAL_POINTS=200` takes some minutes. */
const points = Number(process.env.MORTISE_SIGNAL_POINTS ?? 6);

let here: Scratch;
let server: ModelServer;
beforeEach(async () => {
  here = await scratch();
  // Two tools at once, then slow answers that call again, as long as it lasts.
  server = await startOpenAiServer(({ body }) => {
    const results = JSON.stringify(body.messages).split('"role":"tool"').length - 1;
    if (results < 2)
      return {
        kind: "calls",
        calls: [
          { tool: "bash", input: { command: "sleep 0.3; echo hi" } },
          { tool: "glob", input: { pattern: "*" } },
        ],
      };
    return { kind: "slow", text: "one two three four five six", everyMs: 100 };
  });
  const models = { default: "fake/one", providers: { fake: { url: server.url, models: { one: {} } } } };
  await here.write("home/config/config.jsonc", JSON.stringify({ models }));
});
afterEach(async () => {
  await here.remove();
  await server.close();
});

const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const signals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

describe("a run that gets a signal at a random moment", () => {
  it(`has one result, whole lines, the signal's exit code, and a session that ended, at ${points} moments`, {
    timeout: 60_000 + points * 15_000,
  }, async () => {
    for (let point = 0; point < points; point++) {
      const signal = signals[point % signals.length] ?? "SIGTERM";
      const isSdk = point % 2 === 1;
      const id = `s-${point}`;
      const words = ["run", "--yolo", "--output", "stream-json", "--session-id", id, ...(isSdk ? ["--input", "stream-json"] : ["Go"])];
      const child = here.start(words);
      let shown = "";
      child.stdout.on("data", (text) => {
        shown += text;
      });
      child.stdin?.on("error", () => {});
      if (isSdk) child.stdin?.write(`${JSON.stringify({ type: "user", message: { role: "user", content: "Go" } })}\n`);
      else child.stdin?.end();
      const end = ended(child);
      await until(() => shown.includes('"subtype":"init"'), "the first line");
      await sleep(Math.random() * 1_500);
      child.kill(signal);
      const { code } = await end;
      const lines: Record<string, unknown>[] = shown
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const results = lines.filter(({ type }) => type === "result");
      expect({ point, results: results.length, last: lines.at(-1)?.type }).toEqual({ point, results: 1, last: "result" });
      // A run may have ended just before.
      expect([codes[signal], ...(results[0]?.is_error === false ? [0] : [])]).toContain(code);
      const { stdout } = await here.run(["session", "list", "--json"]);
      expect(stdout).not.toMatch(/"(?:running|interrupted)"/);
    }
  });
});
