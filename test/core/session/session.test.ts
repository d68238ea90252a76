import { appendFile, mkdir, readdir, readFile, rename, rmdir, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../../core/session/session.ts";
import { createSessions, type Sessions } from "../../../core/session/sessions.ts";
import { NO_RESULT } from "../../../core/session/valid-history.ts";
import { calls, result, results, type Scratch, says, scratch, startWriter, textsOf, user } from "./scratch.ts";

let here: Scratch;
let sessions: Sessions;
beforeEach(async () => {
  here = await scratch();
  sessions = createSessions(here.state);
});
afterEach(() => here.remove());

const create = (id = "s") => sessions.create({ id, model: "embedded/scripted", backend: "ai-sdk", cwd: here.cwd });
const usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 1 };

/** Closed and opened again, as another process would. */
async function reopened(session: Session): Promise<Session> {
  await session.close();
  return sessions.open(session.id);
}

describe("createSession()", () => {
  it("leaves no file of a session without a message", async () => {
    const session = await create();
    await session.set({ title: "a title", rules: [{ tool: "bash", effect: "allow" }] });
    await session.end("end_turn");
    await session.close();
    expect(await readdir(join(here.state, "sessions"))).toEqual([]);
    expect(await sessions.latest(here.cwd)).toBeUndefined();
    await expect(sessions.open("s")).rejects.toMatchObject({ code: "no_session" });
  });

  it("writes each thing as it comes, to a file that only its owner reads", async () => {
    const session = await create();
    await session.append(user("What is in\n\nthese two files?"));
    const kinds = async () => (await here.lines("s")).map(({ t }) => t);
    expect(await kinds()).toEqual(["header", "message"]);
    await session.append(calls("1", "2"));
    expect(await kinds()).toEqual(["header", "message", "message"]);
    await session.addResult(result("2"));
    expect((await here.lines("s")).at(-1)).toMatchObject({ t: "result", result: result("2") });
    await session.addResult(result("1"));
    await session.end("end_turn");
    expect(await kinds()).toEqual(["header", "message", "message", "result", "result", "end"]);
    expect((await here.lines("s"))[0]).toMatchObject({ v: 1, id: "s", title: "What is in these two files?", cwd: here.cwd, backend: "ai-sdk" });
    expect((await stat(here.log("s"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(here.state, "sessions"))).mode & 0o777).toBe(0o700);
    expect(session.saved()).toBe(true);
    await session.close();
  });

  it("has the same state when it is opened again", async () => {
    const session = await create();
    await session.set({ rules: [{ tool: "bash", pattern: "git *", effect: "allow" }], queued: [{ text: "then this", source: "terminal" }] });
    await session.append({ role: "user", text: "hi", images: [{ mediaType: "image/png", base64: "AAAA" }], rewrittenBy: "p", note: "n" });
    await session.append({
      role: "assistant",
      parts: [
        { type: "thinking", text: "hm", provider: { signature: "abc" } },
        { type: "text", text: "\ud800 ä 🙂" },
        { type: "call", toolId: "1", tool: "read", input: { path: ["x", null] } },
      ],
      model: "m",
    });
    await session.addPermission({ toolId: "1", tool: "read", decision: "allow", source: "person", scopes: ["/etc/hosts"] });
    await session.addResult({ ...result("1"), images: [{ mediaType: "image/png", base64: "BBBB" }] });
    await session.addUsage("m", usage, null);
    await session.addUsage("m", usage, 0.25);
    await session.addUsage("m", usage, 0.5);
    await session.addUsage("other", usage, null);
    await session.set({ title: "Another title", model: "other", context: { tokens: 40, window: 1_000 } });
    await session.end("max_turns", { code: "x", message: "y" });
    const { header, usage: used, ...rest } = structuredClone({ ...session.state });
    const again = (await reopened(session)).state;
    expect(again).toMatchObject(rest);
    expect(again.header).toEqual(header);
    expect(again.usage).toEqual(used);
    expect(again.usage.get("m")).toEqual({ usage: { input: 30, output: 15, cacheRead: 9, cacheWrite: 3 }, costUsd: 0.75 });
    expect(again.usage.get("other")?.costUsd).toBeNull();
    expect(again.ended).toMatchObject({ reason: "max_turns", title: "Another title", messages: 3, costUsd: 0.75 });
  });

  it("keeps results in the order of the calls, and the message with them another object after each", async () => {
    const session = await create();
    await session.append(user("a"));
    await session.append(calls("1", "2", "3"));
    await session.addResult(result("3"));
    const first = session.state.messages[2];
    await session.append(user("said meanwhile"));
    await Promise.all([session.addResult(result("1")), session.addResult(result("2")), session.addResult(result("nobody asked"))]);
    expect(session.state.messages).toEqual([user("a"), calls("1", "2", "3"), results("1", "2", "3"), user("said meanwhile")]);
    expect(session.state.messages[2]).not.toBe(first);
    expect(first).toEqual(results("3"));
    expect((await reopened(session)).state.messages).toEqual([user("a"), calls("1", "2", "3"), results("1", "2", "3"), user("said meanwhile")]);
  });

  it("takes ids of calls that a model uses again", async () => {
    const session = await create();
    for (const round of ["one", "two"]) {
      await session.append(user(round));
      await session.append(calls("t", "t"));
      await session.addResult(result("t", `${round} a`));
      await session.addResult(result("t", `${round} b`));
    }
    const expected = ["one", "t", "t", "one a", "one b", "two", "t", "t", "two a", "two b"];
    expect(textsOf(session.state.messages)).toEqual(expected);
    expect(textsOf((await reopened(session)).state.messages)).toEqual(expected);
  });

  it("gives calls a result when the run ends without", async () => {
    const session = await create();
    await session.append(user("a"));
    await session.append(calls("1", "2"));
    await session.addResult(result("2"));
    expect(session.open().map(({ toolId }) => toolId)).toEqual(["1"]);
    await session.end("cancelled");
    expect(session.open()).toEqual([]);
    expect(textsOf(session.state.messages)).toEqual(["a", "1", "2", NO_RESULT, "of 2"]);
    const lines = (await here.lines("s")).length;
    const again = await reopened(session);
    expect(textsOf(again.state.messages)).toEqual(["a", "1", "2", NO_RESULT, "of 2"]);
    expect(await here.lines("s")).toHaveLength(lines);
  });

  it("refuses what comes after it was closed", async () => {
    const session = await create();
    await session.append(user("a"));
    await session.close();
    await session.close();
    await expect(session.append(user("b"))).rejects.toMatchObject({ code: "file_failed" });
  });

  it("keeps images up to a cap, and says which are gone", async () => {
    sessions = createSessions(here.state, { imageChars: 10 });
    const session = await create();
    const image = (base64: string) => ({ mediaType: "image/png", base64 });
    await session.append({ role: "user", text: "see", images: [image("AAAAAAAA"), image("BBBB")] });
    await session.append(calls("1"));
    await session.addResult({ ...result("1"), images: [image("CCCC")] });
    // The run that has them goes on with them.
    expect(session.state.messages[0]).toMatchObject({ text: "see", images: [image("AAAAAAAA"), image("BBBB")] });
    let { messages } = (await reopened(session)).state;
    expect(messages[0]).toEqual({
      role: "user",
      text: "see\n[images that were not kept with the session: image/png, 3 bytes]",
      images: [image("AAAAAAAA")],
    });
    expect(messages[2]).toMatchObject({ results: [{ text: "of 1\n[images that were not kept with the session: image/png, 3 bytes]" }] });
    expect(await readFile(here.log("s"), "utf8")).not.toMatch(/BBBB|CCCC/);
    const copy = await sessions.fork("s", { cwd: here.cwd });
    ({ messages } = copy.state);
    expect(textsOf(messages)[2]).toContain("were not kept");
    await copy.append({ role: "user", text: "more", images: [image("DDDD")] });
    expect(await readFile(here.log(copy.id), "utf8")).not.toContain("DDDD");
  });
});

describe("Session.replace()", () => {
  it("keeps what is shared, and is the same when it is opened again", async () => {
    const session = await create();
    for (const text of ["a", "b", "c", "d"]) {
      await session.append(user(text));
      await session.append(says(text.toUpperCase()));
    }
    await session.replace([user("summary"), ...session.state.messages.slice(5)]);
    expect((await here.lines("s")).at(-1)).toMatchObject({ t: "splice", head: 0, insert: [user("summary")], tail: 3 });
    expect(textsOf(session.state.messages)).toEqual(["summary", "C", "d", "D"]);
    await session.append(user("e"));
    await session.replace(session.state.messages.slice(0, 2));
    expect(textsOf(session.state.messages)).toEqual(["summary", "C"]);
    await session.append(user("f"));
    const lines = (await here.lines("s")).length;
    await session.replace([...session.state.messages]);
    expect(await here.lines("s")).toHaveLength(lines);
    expect(textsOf((await reopened(session)).state.messages)).toEqual(["summary", "C", "f"]);
  });

  it("knows the messages that a caller keeps itself", async () => {
    const session = await create();
    const given = [user("a"), calls("1", "2"), results("1", "2"), user("b")];
    for (const message of given) await session.append(message);
    await session.replace([user("summary"), ...given.slice(1)]);
    expect((await here.lines("s")).at(-1)).toMatchObject({ t: "splice", head: 0, insert: [user("summary")], tail: 3 });
    await session.close();
  });

  it("writes a log anew that is mostly past, and keeps the old ones in the archive", async () => {
    sessions = createSessions(here.state, { rewriteBytes: 4_000 });
    const session = await create();
    await session.set({ title: "kept", rules: [{ tool: "bash", effect: "deny" }], context: { tokens: 1, window: 2 } });
    await session.addUsage("m", usage, 1);
    for (let round = 1; round <= 5; round++) {
      await session.append(user(`long ${round} ${"x".repeat(5_000)}`));
      await session.append(calls(`${round}`));
      await session.addResult(result(`${round}`));
      await session.replace([user(`summary ${round}`), ...session.state.messages.slice(-2)]);
      expect((await stat(here.log("s"))).size).toBeLessThan(4_000);
    }
    const archive = join(here.state, "sessions", "s", "archive");
    expect((await readdir(archive)).toSorted()).toEqual(["3.jsonl", "4.jsonl", "5.jsonl"]);
    expect(await readFile(join(archive, "5.jsonl"), "utf8")).toContain("long 5 xxx");
    expect((await stat(join(archive, "5.jsonl"))).mode & 0o777).toBe(0o600);
    await session.append(user("after"));
    await session.end("end_turn");
    const { state } = await reopened(session);
    expect(textsOf(state.messages)).toEqual(["summary 5", "5", "of 5", "after"]);
    expect(state).toMatchObject({ title: "kept", rules: [{ tool: "bash", effect: "deny" }], context: { tokens: 1, window: 2 } });
    expect(state.usage.get("m")).toEqual({ usage, costUsd: 1 });
    expect((await readdir(join(here.state, "sessions"))).toSorted()).toEqual(["s", "s.jsonl", "s.lock"]);
  });

  it("loses nothing that comes while the log is written anew", async () => {
    sessions = createSessions(here.state, { rewriteBytes: 1_000 });
    const session = await create();
    await session.append(user("x".repeat(20_000)));
    const writing = [session.replace([user("summary")])];
    for (let i = 0; i < 50; i++) {
      writing.push(session.append(user(`${i}`)));
      if (i % 10 === 0) await writing[0];
    }
    await Promise.all(writing);
    const expected = ["summary", ...Array.from({ length: 50 }, (_, i) => `${i}`)];
    expect(textsOf(session.state.messages)).toEqual(expected);
    expect(textsOf((await reopened(session)).state.messages)).toEqual(expected);
  });
});

describe("a write that fails", () => {
  it.skipIf(process.platform === "win32")("is told, leaves whole lines, and nothing that was stored is lost", async () => {
    // 64 blocks of 1,024 bytes a file.
    const writer = startWriter(["fill", here.state, "full"], 'ulimit -f 64; exec "$@"');
    const told = JSON.parse((await writer.lines.next()).value ?? "null");
    await new Promise((resolve) => (writer.exitCode === null ? writer.once("exit", resolve) : resolve(0)));
    expect(told).toEqual({ code: "file_failed", stored: 9, saved: false });
    const text = await readFile(here.log("full"), "utf8");
    expect(text.endsWith("\n")).toBe(true);
    expect(text.length).toBeLessThan(64 * 1_024);
    const { state } = await sessions.read("full");
    expect(state.messages.map((message) => (message.role === "user" ? message.text.split(" ")[0] : ""))).toEqual([
      "0",
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
    ]);
  });

  it("is brought along by the next one that works, in its order", async () => {
    const session = await create();
    await mkdir(here.log("s"));
    await expect(session.append(user("a"))).rejects.toMatchObject({ code: "file_failed" });
    await expect(session.append(calls("1"))).rejects.toMatchObject({ code: "file_failed" });
    expect(session.saved()).toBe(false);
    expect(textsOf(session.state.messages)).toEqual(["a", "1"]);
    await rmdir(here.log("s"));
    await session.addResult(result("1"));
    expect(session.saved()).toBe(true);
    expect(textsOf((await reopened(session)).state.messages)).toEqual(["a", "1", "of 1"]);
  });
});

describe("a log that is not whole", () => {
  const stored = async () => {
    const session = await create();
    for (const text of ["a", "b", "c"]) await session.append(user(text));
    await session.end("end_turn");
    await session.close();
  };

  it("loses what was cut off at its end, and nothing else", async () => {
    await stored();
    const { size } = await stat(here.log("s"));
    for (const rest of [
      '{"t":"message","at":"x","mess',
      "\0\0\0\0",
      '{"t":"message","at":"x","message":{"role":"user"}}\n[1]\n\n{',
      '{"t":"meta","at":"x"}',
    ]) {
      await appendFile(here.log("s"), rest);
      const read = await sessions.read("s");
      expect(textsOf(read.state.messages)).toEqual(["a", "b", "c"]);
      expect(read).toMatchObject({ ended: "end_turn", broken: 0 });
      const session = await sessions.open("s");
      await session.append(user("d"));
      await session.close();
      expect(textsOf((await sessions.read("s")).state.messages)).toEqual(["a", "b", "c", "d"]);
      expect((await readFile(here.log("s"), "utf8")).slice(size)).not.toContain(rest);
      await truncate(here.log("s"), size);
    }
  });

  it("passes over broken lines in the middle and counts them", async () => {
    await stored();
    const lines = (await readFile(here.log("s"), "utf8")).trimEnd().split("\n");
    const broken = ["", "{", '{"t":"result","at":"x","result":{"toolId":1}}', '{"t":"of a later version","at":"x"}', '"text"'];
    await writeFile(here.log("s"), `${[...lines.slice(0, 2), ...broken, ...lines.slice(3)].join("\n")}\n`);
    expect(await sessions.read("s")).toMatchObject({ broken: 5, ended: "end_turn" });
    expect(textsOf((await sessions.open("s")).state.messages)).toEqual(["a", "c"]);
  });

  it("keeps lines of a later version at its end", async () => {
    await stored();
    const later = '{"t":"of a later version","at":"x"}\n';
    await appendFile(here.log("s"), later);
    const session = await sessions.open("s");
    await session.append(user("d"));
    await session.close();
    expect(await readFile(here.log("s"), "utf8")).toContain(later);
  });

  it("is none where its first line is not its own", async () => {
    await stored();
    await rename(here.log("s"), here.log("other"));
    await expect(sessions.open("other")).rejects.toMatchObject({ code: "session_broken" });
    await expect(sessions.create({ id: "other", model: "m", backend: "acp", cwd: here.cwd })).rejects.toMatchObject({ code: "session_broken" });
    await writeFile(here.log("cut"), '{"t":"header","v":1,"id":"cu');
    await expect(sessions.open("cut")).rejects.toMatchObject({ code: "no_session" });
    expect(await sessions.list()).toEqual([]);
    const session = await create("cut");
    await session.append(user("anew"));
    expect(textsOf((await reopened(session)).state.messages)).toEqual(["anew"]);
  });
});
