import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LogEntry } from "../../core/host-types.ts";
import { createLogs, readLogs } from "../../core/logs.ts";
import { sentence } from "../../sdk/errors.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
  file = join(folder, "logs/mortise.jsonl");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const asIs = async (texts: readonly string[]) => texts;
const hide = async (texts: readonly string[]) => texts.map((text) => text.replaceAll(/sk-\w+/g, "[redacted]"));

describe("createLogs()", () => {
  it("keeps entries in order, each on a line, clean of secrets", async () => {
    const heard: LogEntry[] = [];
    const logs = createLogs(file, hide, (entry) => heard.push(entry));
    logs.write("info", "guard", "the key\nis sk-123");
    logs.write("error", null, "done");
    await logs.flush();
    const kept = await readLogs(file);
    expect(kept).toEqual([
      { at: expect.any(String), level: "info", plugin: "guard", text: "the key\nis [redacted]" },
      { at: expect.any(String), level: "error", plugin: null, text: "done" },
    ]);
    expect(heard).toEqual(kept);
    expect(await readFile(file, "utf8")).not.toContain("sk-123");
  });

  it.skipIf(process.platform === "win32")("lets nobody else read them", async () => {
    const logs = createLogs(file, asIs);
    logs.write("info", null, "x");
    await logs.flush();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "logs"))).mode & 0o777).toBe(0o700);
  });

  it("tells entries where nothing is kept", async () => {
    const heard: string[] = [];
    const logs = createLogs(undefined, hide, (entry) => heard.push(entry.text));
    logs.write("info", null, "sk-123");
    await logs.flush();
    expect(heard).toEqual(["[redacted]"]);
  });

  it("counts what it drops when too much comes at once", async () => {
    const logs = createLogs(file, asIs);
    for (let i = 0; i < 1_234; i++) logs.write("info", "loud", `${i}`);
    await logs.flush();
    const entries = await readLogs(file);
    expect(entries).toHaveLength(1_001);
    expect(entries.at(999)?.text).toBe("999");
    expect(entries.at(-1)).toMatchObject({ level: "warn", plugin: null, text: "234 log entries were dropped" });
    logs.write("info", "loud", "again");
    await logs.flush();
    expect((await readLogs(file)).at(-1)?.text).toBe("again");
  });

  it("withholds texts that could not be cleaned, and goes on", async () => {
    let fails = true;
    const logs = createLogs(file, async (texts) => {
      if (fails) throw new Error("no");
      return texts;
    });
    logs.write("info", "guard", "sk-123");
    await logs.flush();
    fails = false;
    logs.write("info", "guard", "later");
    await logs.flush();
    expect((await readLogs(file)).map(({ text }) => text)).toEqual([sentence("withheld"), "later"]);
  });

  it("withholds a text that did not come back", async () => {
    const logs = createLogs(file, async (texts) => texts.slice(1));
    logs.write("info", null, "sk-123");
    await logs.flush();
    expect((await readLogs(file)).map(({ text }) => text)).toEqual([sentence("withheld")]);
  });

  it("keeps entries though who listens fails", async () => {
    const logs = createLogs(file, asIs, () => {
      throw new Error("no");
    });
    logs.write("info", null, "one");
    logs.write("info", null, "two");
    await logs.flush();
    logs.write("info", null, "three");
    await logs.flush();
    expect((await readLogs(file)).map(({ text }) => text)).toEqual(["one", "two", "three"]);
  });

  it("goes on though the file cannot be written", async () => {
    const heard: string[] = [];
    await writeFile(join(folder, "logs"), "in the way");
    const logs = createLogs(file, asIs, (entry) => heard.push(entry.text));
    logs.write("info", null, "one");
    await logs.flush();
    logs.write("info", null, "two");
    await logs.flush();
    expect(heard).toEqual(["one", "two"]);
  });

  it("begins the file anew when it is large, and keeps the one before", async () => {
    const logs = createLogs(file, asIs);
    logs.write("info", null, "x".repeat(5 * 1024 * 1024));
    await logs.flush();
    logs.write("info", null, "new");
    await logs.flush();
    expect((await readLogs(file)).map(({ text }) => text)).toEqual(["new"]);
    expect((await stat(`${file}.1`)).size).toBeGreaterThan(5 * 1024 * 1024);
  });
});

describe("readLogs()", () => {
  it("reads none where there is no file", async () => {
    expect(await readLogs(file)).toEqual([]);
  });

  it("passes over lines that are no entries", async () => {
    const logs = createLogs(file, asIs);
    logs.write("info", null, "one");
    await logs.flush();
    await appendFile(file, 'null\n{"at": "now", "level": "loud", "plugin": null, "text": ""}\n{"at":"2026');
    expect((await readLogs(file)).map(({ text }) => text)).toEqual(["one"]);
  });
});
