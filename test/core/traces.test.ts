import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallRecord } from "../../core/record.ts";
import { createTraces, isSessionId, listTraces, readTrace } from "../../core/traces.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const record = (toolId: string, more: Partial<CallRecord> = {}): CallRecord => ({
  tool: "bash",
  toolId,
  sessionId: "one",
  origin: "model",
  ran: true,
  input: { command: "ls" },
  text: "a\nb",
  isError: false,
  code: null,
  stopped: null,
  respondedBy: null,
  permission: { decision: "allow", source: "rule", scopes: [] },
  trace: [],
  durationMs: 1,
  cut: null,
  spill: null,
  ...more,
});
const idsOf = async (session: string) => (await readTrace(folder, session))?.map((line) => ("toolId" in line ? line.toolId : line.slot));

describe("createTraces()", () => {
  it("makes no folder anew once it is closed", async () => {
    const traces = createTraces(join(folder, "sessions"));
    traces.append(record("0"));
    await traces.close();
    await rm(join(folder, "sessions"), { recursive: true });
    traces.append(record("0"));
    await traces.flush();
    expect(await readdir(folder)).toEqual([]);
  });

  it("keeps the records of a session in order, and says when they were", async () => {
    const traces = createTraces(folder);
    const began = Date.now();
    for (let i = 0; i < 20; i++) traces.append(record(`${i}`));
    traces.append(record("other", { sessionId: "two" }));
    await traces.flush();
    expect(await idsOf("one")).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
    const [first] = (await readTrace(folder, "one")) ?? [];
    const { at, ...rest } = first!;
    expect(rest).toEqual(record("0"));
    expect(Date.parse(at)).toBeGreaterThanOrEqual(began);
    expect(await idsOf("two")).toEqual(["other"]);
  });

  it.skipIf(process.platform === "win32")("waits for no pipe and follows no link in place of its file", { timeout: 20_000 }, async () => {
    await mkdir(join(folder, "one"));
    execFileSync("mkfifo", [join(folder, "one", "trace.jsonl")]);
    await mkdir(join(folder, "two"));
    await writeFile(join(folder, "kept"), "as it was");
    await symlink(join(folder, "kept"), join(folder, "two", "trace.jsonl"));
    const traces = createTraces(folder);
    traces.append(record("0"));
    traces.append(record("0", { sessionId: "two" }));
    traces.append(record("0", { sessionId: "three" }));
    await traces.flush();
    expect(await readTrace(folder, "one")).toBeUndefined();
    expect(await readFile(join(folder, "kept"), "utf8")).toBe("as it was");
    expect(await idsOf("three")).toEqual(["0"]);
  });

  it.skipIf(process.platform === "win32")("lets nobody else read them", async () => {
    const traces = createTraces(join(folder, "sessions"));
    traces.append(record("0"));
    await traces.flush();
    expect((await stat(join(folder, "sessions/one/trace.jsonl"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "sessions/one"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, "sessions"))).mode & 0o777).toBe(0o700);
  });

  it("appends to what another run left", async () => {
    for (const id of ["0", "1"]) {
      const traces = createTraces(folder);
      traces.append(record(id));
      await traces.flush();
    }
    expect(await readFile(join(folder, "one/trace.jsonl"), "utf8")).toMatch(/^\{.*\}\n\{.*\}\n$/);
  });

  it("loses one line to a crash, not the one after it", async () => {
    const first = createTraces(folder);
    first.append(record("0"));
    await first.flush();
    await appendFile(join(folder, "one/trace.jsonl"), '{"at":"2026-01-01T00:00:00.000Z","tool":"ba');
    const second = createTraces(folder);
    second.append(record("1"));
    second.append(record("2"));
    await second.flush();
    expect(await idsOf("one")).toEqual(["0", "1", "2"]);
  });

  it.each(["../up", "a/b", "", ".", "..", ".hidden", "-", "a\u0000b", "x".repeat(101)])(
    "writes nothing for a session called %j",
    async (sessionId) => {
      const traces = createTraces(folder);
      traces.append(record("0", { sessionId }));
      await traces.flush();
      expect(await readdir(folder)).toEqual([]);
      expect(await readTrace(folder, sessionId)).toBeUndefined();
      expect(isSessionId(sessionId)).toBe(false);
    },
  );

  it("writes nothing without a folder", async () => {
    const traces = createTraces(undefined);
    traces.append(record("0"));
    await expect(traces.flush()).resolves.toBeUndefined();
  });

  it("passes over what it cannot write, and goes on", async () => {
    const traces = createTraces(folder);
    await writeFile(join(folder, "two"), "in the way");
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    traces.append(record("0", { sessionId: "two" }));
    traces.append(record("1", { input: endless }));
    traces.append(record("2"));
    await traces.flush();
    expect(await idsOf("one")).toEqual(["2"]);
  });
});

describe("readTrace()", () => {
  it("knows no session that has none", async () => {
    expect(await readTrace(folder, "one")).toBeUndefined();
  });

  it("passes over lines that are no records", async () => {
    const traces = createTraces(folder);
    traces.append(record("0"));
    await traces.flush();
    await appendFile(join(folder, "one/trace.jsonl"), 'null\n5\n[]\n{}\n{"at": "now"}\n\nno JSON\n');
    expect(await idsOf("one")).toEqual(["0"]);
  });
});

describe("listTraces()", () => {
  it("lists sessions with a trace, newest first", async () => {
    const traces = createTraces(folder);
    for (const sessionId of ["old", "new", "middle"]) traces.append(record("0", { sessionId }));
    await traces.flush();
    for (const [i, sessionId] of ["old", "middle", "new"].entries()) await utimes(join(folder, sessionId, "trace.jsonl"), i, 1_000 + i);
    await mkdir(join(folder, "empty"));
    expect((await listTraces(folder)).map(({ sessionId }) => sessionId)).toEqual(["new", "middle", "old"]);
  });

  it("lists none where there is no folder", async () => {
    expect(await listTraces(join(folder, "none"))).toEqual([]);
  });
});
