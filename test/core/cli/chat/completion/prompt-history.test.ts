import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPromptHistory } from "../../../../../core/cli/chat/completion/prompt-history.ts";

let state = "";
const file = () => join(state, "prompts.jsonl");
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "mortise-history-"));
});
afterEach(() => rm(state, { recursive: true, force: true }));

describe("openPromptHistory()", () => {
  it("keeps prompts of any lines for later chats, in a file of the user's own", async () => {
    const history = openPromptHistory({ state: join(state, "made") }, {});
    expect(history.lines()).toEqual([]);
    for (const text of ["one\ntwo", "one\ntwo", " ", "three"]) await history.add(text);
    expect(history.lines()).toEqual(["one\ntwo", "three"]);
    expect(openPromptHistory({ state: join(state, "made") }, {}).lines()).toEqual(["one\ntwo", "three"]);
    expect((await stat(join(state, "made/prompts.jsonl"))).mode & 0o777).toBe(0o600);
  });

  it("loses nothing where several chats write at once", async () => {
    const chats = Array.from({ length: 4 }, () => openPromptHistory({ state }, {}));
    await Promise.all(chats.flatMap((chat, i) => Array.from({ length: 10 }, (_, k) => chat.add(`${i} ${k}`))));
    const lines = openPromptHistory({ state }, {}).lines();
    expect(lines).toHaveLength(40);
    for (const i of [0, 1, 2, 3]) expect(lines.filter((line) => line.startsWith(`${i} `))).toEqual(Array.from({ length: 10 }, (_, k) => `${i} ${k}`));
  });

  it("passes over lines that are broken, and does not add to one that was cut off", async () => {
    await writeFile(file(), '"a"\n{}\nnonsense\n"b');
    const history = openPromptHistory({ state }, {});
    expect(history.lines()).toEqual(["a"]);
    await history.add("c");
    expect(openPromptHistory({ state }, {}).lines()).toEqual(["a", "c"]);
  });

  it("keeps no secrets", async () => {
    const history = openPromptHistory({ state }, { MY_API_KEY: "very-secret-value" });
    await history.add("use very-secret-value and sk-abcdefghijklmnopqrstuvwx");
    expect(history.lines()).toEqual(["use [redacted] and [redacted]"]);
    expect(await readFile(file(), "utf8")).not.toMatch(/very-secret|sk-abc/);
  });

  it("waits for what is being written", async () => {
    const history = openPromptHistory({ state }, {});
    void history.add("one");
    await history.saved();
    expect(await readFile(file(), "utf8")).toBe('"one"\n');
  });

  it("stays small", async () => {
    await appendFile(file(), `${JSON.stringify("x".repeat(9_000))}\n`.repeat(150));
    const history = openPromptHistory({ state }, {});
    await history.add("y".repeat(20_000));
    expect((await stat(file())).size).toBeLessThan(600_000);
    expect(openPromptHistory({ state }, {}).lines().at(-1)).toBe("y".repeat(10_000));
  });

  it("goes on without a file that cannot be written", async () => {
    await writeFile(join(state, "not-a-folder"), "");
    const history = openPromptHistory({ state: join(state, "not-a-folder/below") }, {});
    await history.add("one");
    expect(history.lines()).toEqual(["one"]);
  });
});
