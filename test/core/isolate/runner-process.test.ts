import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { encodeFrame } from "../../../core/frames/frames.ts";
import { MARK_BYTES, NO_MARK, writeMark } from "../../../core/isolate/protocol/mark.ts";
import type { RunnerMessage } from "../../../core/isolate/protocol/messages.ts";
import { type RunnerEnd, startRunnerProcess } from "../../../core/isolate/runner-process.ts";
import { node26 } from "./support.ts";

/** Programs that stand where a runner should be. */
describe("startRunnerProcess()", () => {
  const folder = mkdtempSync(join(tmpdir(), "mortise-runner-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;

  const run = async (code: string, execPath = node26): Promise<RunnerEnd & { heard: RunnerMessage[] }> => {
    const program = join(folder, `${++count}.cjs`);
    writeFileSync(
      program,
      `const fs = require("node:fs"); setInterval(() => {}, 1000); const say = (base64) => fs.writeSync(3, Buffer.from(base64, "base64")); ${code}`,
    );
    const heard: RunnerMessage[] = [];
    const end = await new Promise<RunnerEnd>((resolve) => {
      const runner = startRunnerProcess(execPath, { argv: [program], parts: [] }, { onMessage: (message) => heard.push(message), onEnd: resolve });
      runner.hold(true);
    });
    return { ...end, heard };
  };
  const frame = (head: unknown): string => JSON.stringify(Buffer.concat(encodeFrame(JSON.stringify(head), [])).toString("base64"));

  it.each([
    ["bytes that are no frame", "fs.writeSync(3, Buffer.alloc(64, 255))"],
    ["a head that is no JSON", `say(${JSON.stringify(Buffer.concat(encodeFrame("nonsense", [])).toString("base64"))})`],
    ["a message that there is not", `say(${frame({ t: "grant", plugin: 1 })})`],
    ["a message with a wrong field", `say(${frame({ t: "log", plugin: "other", level: "info", text: "x" })})`],
    ["a failure with a code that there is not", `say(${frame({ t: "strike", plugin: 1, code: "approved" })})`],
  ])("kills a runner that says %s", async (_what, code) => {
    expect(await run(code)).toMatchObject({ code: "runner_lost", heard: [] });
  });

  it("hears what is well formed before that", async () => {
    const ended = await run(`say(${frame({ t: "ready" })}); say(${frame({ t: "pong", n: 3 })}); fs.writeSync(3, "nonsense and more of it")`);
    expect(ended.heard).toEqual([{ t: "ready" }, { t: "pong", n: 3 }]);
  });

  it.each([
    ["memory_exceeded", "process.abort()"],
    ["runner_lost", "process.exit(3)"],
    ["runner_lost", "process.kill(process.pid, 'SIGSEGV')"],
    ["runner_lost", "fs.closeSync(3)"],
  ])("says %s of one that ends by %s", async (code, how) => {
    expect((await run(`setTimeout(() => { ${how} }, 10)`)).code).toBe(code);
  });

  it("says whose turn it was", async () => {
    const buffer = Buffer.alloc(MARK_BYTES);
    const mark = { ...NO_MARK, turn: 5, running: true, plugin: 3, call: 8, sliceMs: 250 };
    writeMark(buffer, mark);
    const ended = await run(
      `fs.writeSync(4, Buffer.from(${JSON.stringify(buffer.toString("base64"))}, "base64"), 0, ${MARK_BYTES}, 0); process.exit(1)`,
    );
    expect(ended.mark).toEqual(mark);
  });

  it("ends where there is no such program", async () => {
    expect((await run("", join(folder, "no-node"))).code).toBe("runner_lost");
  });
});
