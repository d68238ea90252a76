import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ended, jsonOf, PROBE, type Scratch, scratch } from "./run-cli.ts";

const CHARS = 2_500_000;

let here: Scratch;
beforeAll(async () => {
  here = await scratch();
  await here.write("project/probe.ts", PROBE);
});
afterAll(() => here.remove());

/** Reads as a slow reader does: a little, then a pause. */
async function slowly(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    if (chunks.length % 8 === 0) await delay(10);
  }
  return Buffer.concat(chunks);
}

describe("standard output", () => {
  it.each(["text", "json"])("arrives whole through a slow pipe (%s)", async (mode) => {
    const child = here.start([
      "call",
      "big",
      JSON.stringify({ chars: CHARS }),
      "--plugin",
      "probe.ts",
      "--full",
      ...(mode === "json" ? ["--json"] : []),
    ]);
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const output = (await slowly(child.stdout)).toString("utf8");
    expect(await exited).toBe(0);
    const text = mode === "json" ? jsonOf(output).text : output.trimEnd();
    expect(text === "é".repeat(CHARS)).toBe(true);
  });

  it.each<[string, number, string[]]>([
    ["a call that worked", 0, ["call", "big", JSON.stringify({ chars: CHARS }), "--plugin", "probe.ts", "--full"]],
    ["a call that failed", 1, ["call", "fail", "{}", "--plugin", "probe.ts", "--json"]],
    ["a command line that is not valid", 2, ["call", "big", "{", "--json"]],
    ["help", 0, ["--help"]],
    ["a list", 0, ["tools", "--json"]],
  ])("that nobody reads ends %s quietly, with its exit code", async (_name, code, words) => {
    const child = here.start(words);
    child.stdout.on("error", () => {});
    (child.stdout as NodeJS.ReadableStream & { destroy(): void }).destroy();
    const end = await ended(child);
    expect({ code: end.code, signal: end.signal }).toEqual({ code, signal: null });
    expect(end.stderr).not.toMatch(/EPIPE|^ {4}at /m);
  });

  it("that nobody reads loses nothing elsewhere", async () => {
    const before = (await readdir(join(here.home, "state", "sessions"))).length;
    const child = here.start(["call", "say", '{"text":"kept"}', "--plugin", "probe.ts"]);
    child.stdout.on("error", () => {});
    (child.stdout as NodeJS.ReadableStream & { destroy(): void }).destroy();
    expect((await ended(child)).code).toBe(0);
    expect((await readdir(join(here.home, "state", "sessions"))).length).toBe(before + 1);
    const traces = await here.run(["trace", "--json"]);
    const [{ sessionId }] = JSON.parse(traces.stdout);
    const [record] = JSON.parse((await here.run(["trace", sessionId, "--json"])).stdout);
    expect(record).toMatchObject({ tool: "say", text: "kept" });
  });
});
