import { spawn, spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelServer } from "../../../fake-servers/model-server.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";
import { ended, entry, type Scratch, scratch, until } from "../run-cli.ts";

/** How often a run is killed at a random moment; `MORTISE_KILL_POINTS=200` takes some minutes. */
const points = Number(process.env.MORTISE_KILL_POINTS ?? 5);

let here: Scratch;
let server: ModelServer;
let asked = 0;
beforeEach(async () => {
  here = await scratch();
  asked = 0;
  server = await startOpenAiServer(() => ({
    kind: "calls",
    text: `This is answer ${++asked}.`,
    calls: [
      { tool: "bash", input: { command: `echo result ${asked}` } },
      { tool: "glob", input: { pattern: `*${asked}*` } },
    ],
  }));
  const models = { default: "fake/one", providers: { fake: { url: server.url, models: { one: {} } } } };
  await here.write("home/config/config.jsonc", JSON.stringify({ models }));
});
afterEach(async () => {
  await here.remove();
  await server.close();
});

type Line = { type: string; message?: { content: { type: string; text?: string; id?: string; tool_use_id?: string; content?: string }[] } };

describe("a run that is killed", () => {
  it(`has in its session all that it showed, at ${points} random moments`, { timeout: 60_000 + points * 15_000 }, async () => {
    let shownLines = 0;
    for (let point = 0; point < points; point++) {
      // Every other one goes on with a session that was killed before.
      const id = `s-${Math.floor(point / 2)}`;
      const child = here.start(["run", "Go", "--yolo", "--output", "stream-json", ...(point % 2 === 0 ? ["--session-id", id] : ["--session", id])]);
      child.stdin?.end();
      let shown = "";
      child.stdout.on("data", (text) => {
        shown += text;
      });
      const end = ended(child);
      await until(() => shown.includes('"type":"assistant"'), "an answer");
      await sleep(Math.random() * 800);
      child.kill("SIGKILL");
      await end;
      const lines: Line[] = shown
        .slice(0, shown.lastIndexOf("\n"))
        .split("\n")
        .map((line) => JSON.parse(line));
      const { stdout, code } = await here.run(["session", "show", id, "--json"]);
      expect(code).toBe(0);
      for (const { type, message } of lines) {
        if (type !== "assistant" && type !== "user") continue;
        for (const block of message?.content ?? []) {
          const text = block.text ?? block.content ?? "";
          expect(stdout).toContain(JSON.stringify(text).slice(1, -1));
          const toolId = block.id ?? block.tool_use_id;
          if (toolId !== undefined) expect(stdout).toContain(`"${toolId}"`);
          shownLines++;
        }
      }
      expect(JSON.parse(stdout).ended).toBe("interrupted");
    }
    expect(shownLines).toBeGreaterThan(points);
  });
});

/** Runs in a mount namespace of its own, where a small file system holds the user's state. */
const canMount = process.platform === "linux" && spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).status === 0;

describe.skipIf(!canMount)("a run whose disk is full", () => {
  it("goes on, fails since it was not saved, and leaves a whole log that is gone on with", async () => {
    const state = await here.write("state/README", "A place to mount on.").then((path) => path.slice(0, -"/README".length));
    await server.close();
    const much = "word ".repeat(60_000);
    server = await startOpenAiServer(({ body }) => {
      const text = JSON.stringify(body.messages);
      if (!text.includes("Second")) return { kind: "text", text: "Hello." };
      return text.includes('"role":"tool"')
        ? { kind: "text", text: "The end." }
        : { kind: "calls", text: much, calls: [{ tool: "bash", input: { command: "echo made" } }] };
    });
    const models = { default: "fake/one", providers: { fake: { url: server.url, models: { one: { contextWindow: 1_000_000 } } } } };
    await here.write("home/config/config.jsonc", JSON.stringify({ models }));
    const run = (words: string) => `"$0" "$1" run --yolo --output stream-json ${words} < /dev/null; echo "code $?"`;
    const script = [
      `mount -t tmpfs -o size=200k tmpfs "${state}"`,
      run("--session-id s First"),
      run("--session s Second"),
      `echo "log $(tail -c 1 "${state}/sessions/s.jsonl" | od -An -tx1)"`,
      run("--session-id t Second --no-session-persistence"),
    ].join("\n");
    const child = spawn("unshare", ["-rm", "sh", "-c", script, process.execPath, entry], {
      cwd: here.folder,
      env: { ...here.env, MORTISE_STATE_HOME: state },
    });
    const { stdout, code } = await ended(child);
    expect(code).toBe(0);
    expect(stdout.match(/^code .*$/gm)).toEqual(["code 0", "code 1", "code 0"]);
    expect(stdout).toMatch(/log +0a/);
    const lines = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ type }) => type === "result")).toMatchObject([
      { result: "Hello.", session_saved: true, is_error: false },
      { result: "The end.", session_saved: false, is_error: true, subtype: "error", terminal_reason: "end_turn", errors: [{ code: "not_saved" }] },
      { result: "The end.", session_saved: false, is_error: false, subtype: "success" },
    ]);
    expect(lines).toContainEqual(expect.objectContaining({ subtype: "notice", code: "not_saved" }));
  });
});
