import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSessions, type Sessions } from "../../../core/session/sessions.ts";
import { NO_RESULT } from "../../../core/session/valid-history.ts";
import { calls, result, type Scratch, says, scratch, textsOf, user } from "./scratch.ts";

let here: Scratch;
let sessions: Sessions;
beforeEach(async () => {
  here = await scratch();
  sessions = createSessions(here.state);
});
afterEach(() => here.remove());

const start = (id: string, cwd = here.cwd) => sessions.create({ id, model: "embedded/scripted", backend: "ai-sdk", cwd });

async function store(id: string, cwd = here.cwd, text = `asks ${id}`): Promise<void> {
  const session = await start(id, cwd);
  await session.append(user(text));
  await session.append(says("yes"));
  await session.end("end_turn");
  await session.close();
}

const folder = async (name: string) => {
  await mkdir(join(here.cwd, name));
  return join(here.cwd, name);
};

describe("Sessions.create()", () => {
  it("makes ids in the order of time, and refuses one that is taken", async () => {
    const session = await sessions.create({ model: "m", backend: "acp", cwd: here.cwd });
    expect(session.id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{22}$/);
    await store("mine");
    await expect(start("mine")).rejects.toMatchObject({ code: "session_exists" });
    await expect(start(session.id)).rejects.toMatchObject({ code: "session_locked" });
  });

  it("refuses ids that are paths, wherever one is taken", async () => {
    await writeFile(join(here.cwd, "secret.jsonl"), "{}\n");
    for (const id of ["../../secret", "a/b", "..", "", ".x", "a\0b"]) {
      const refused = expect.objectContaining({ code: "no_session" });
      await expect(start(id), id).rejects.toEqual(refused);
      await expect(sessions.open(id), id).rejects.toEqual(refused);
      await expect(sessions.read(id), id).rejects.toEqual(refused);
      await expect(sessions.fork(id, { cwd: here.cwd }), id).rejects.toEqual(refused);
      await expect(sessions.remove(id), id).rejects.toEqual(refused);
    }
    expect(existsSync(join(here.cwd, "secret.jsonl"))).toBe(true);
  });

  it("leaves a file alone that it can read nothing of, and begins anew where a crash left half a line", async () => {
    await mkdir(dirname(here.log("old")), { recursive: true });
    await writeFile(here.log("old"), "what a broken disk left\nof a session\n");
    await expect(start("old")).rejects.toMatchObject({ code: "session_broken" });
    await expect(sessions.open("old")).rejects.toMatchObject({ code: "session_broken" });
    expect(await readFile(here.log("old"), "utf8")).toBe("what a broken disk left\nof a session\n");
    await writeFile(here.log("half"), '{"t":"header","v":1,"id":"ha');
    await store("half");
    expect((await sessions.read("half")).broken).toBe(0);
  });

  it("writes to no file that a link leads to", async () => {
    const other = join(here.cwd, "other");
    await mkdir(dirname(here.log("x")), { recursive: true });
    await symlink(other, here.log("x"));
    await expect(start("x")).rejects.toMatchObject({ code: "file_failed" });
    await writeFile(other, "mine");
    await expect(start("x")).rejects.toMatchObject({ code: "file_failed" });
    await expect(sessions.open("x")).rejects.toMatchObject({ code: "file_failed" });
    expect(await readFile(other, "utf8")).toBe("mine");
  });

  it("tells of a log that is deleted while it is written to", async () => {
    const session = await start("gone");
    await session.append(user("a"));
    await rm(here.log("gone"));
    await expect(session.end("end_turn")).rejects.toMatchObject({ code: "file_failed" });
    expect(session.saved()).toBe(false);
    await session.close();
  });
});

describe("a file in the place of a log", () => {
  it.skipIf(process.platform === "win32")(
    "is not waited for where it is a pipe, and not read where it is a device",
    { timeout: 20_000 },
    async () => {
      await store("good");
      execFileSync("mkfifo", [here.log("pipe")]);
      await symlink("/dev/zero", here.log("zero"));
      expect((await sessions.list()).map(({ id }) => id)).toEqual(["good"]);
      expect(await sessions.latest(here.cwd)).toBe("good");
      for (const id of ["pipe", "zero"]) {
        await expect(sessions.open(id), id).rejects.toMatchObject({ code: "file_failed" });
        await expect(sessions.read(id), id).rejects.toMatchObject({ code: "file_failed" });
      }
    },
  );
});

describe("Sessions.open()", () => {
  it("ends a run that was interrupted, and closes its calls", async () => {
    const session = await start("s");
    await session.append(user("a"));
    await session.append(calls("1", "2"));
    await session.addResult(result("1"));
    expect(await sessions.read("s")).toMatchObject({ ended: "running" });
    await session.close();
    expect(await sessions.read("s")).toMatchObject({ ended: "interrupted" });
    expect(textsOf((await sessions.read("s")).state.messages)).toEqual(["a", "1", "2", "of 1", NO_RESULT]);
    const again = await sessions.open("s");
    expect(again.state.ended).toMatchObject({ reason: "interrupted" });
    expect(textsOf(again.state.messages)).toEqual(["a", "1", "2", "of 1", NO_RESULT]);
    expect((await here.lines("s")).slice(-2)).toMatchObject([
      { t: "result", result: { isError: true } },
      { t: "end", reason: "interrupted" },
    ]);
    await again.close();
    const lines = (await here.lines("s")).length;
    await (await sessions.open("s")).close();
    expect(await here.lines("s")).toHaveLength(lines);
  });

  it("does not take a title or a queued message for a run", async () => {
    await store("s");
    const session = await sessions.open("s");
    await session.set({ title: "New", queued: [{ text: "later", source: "terminal" }] });
    await session.close();
    expect((await sessions.open("s")).state).toMatchObject({ ended: { reason: "end_turn" }, title: "New", queued: [{ text: "later" }] });
  });

  it("says that there is none, and leaves nothing behind", async () => {
    await expect(sessions.open("nowhere")).rejects.toMatchObject({ code: "no_session" });
    expect(existsSync(join(here.state, "sessions"))).toBe(false);
  });

  it("does not write to what a later version or an unknown backend made; it can be read", async () => {
    for (const [id, change] of [
      ["later", (text: string) => text.replace('"v":1', '"v":2')],
      ["odd", (text: string) => text.replace('"ai-sdk"', '"telepathy"')],
    ] as const) {
      await store(id);
      const changed = change(await readFile(here.log(id), "utf8"));
      await writeFile(here.log(id), changed);
      await expect(sessions.open(id)).rejects.toMatchObject({ code: "session_broken" });
      await expect(sessions.fork(id, { cwd: here.cwd })).rejects.toMatchObject({ code: "session_broken" });
      expect(textsOf((await sessions.read(id)).state.messages)).toEqual([`asks ${id}`, "yes"]);
      expect(await readFile(here.log(id), "utf8")).toBe(changed);
      await sessions.remove(id);
    }
  });
});

describe("Sessions.fork()", () => {
  it("copies a session to another folder, also one in use, which does not change", async () => {
    const session = await start("first");
    await session.append(user("a"));
    await session.append(calls("1"));
    await session.set({
      rules: [
        { tool: "bash", pattern: "git *", effect: "allow" },
        { tool: "bash", pattern: "rm *", effect: "deny" },
        { tool: "write", effect: "ask" },
      ],
      queued: [{ text: "later", source: "terminal" }],
      context: { tokens: 7, window: 9 },
    });
    await session.addUsage("m", { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, 2);
    const before = await readFile(here.log("first"), "utf8");
    const other = await folder("other");
    const copy = await sessions.fork("first", { cwd: other });
    expect(copy.state.header).toMatchObject({ cwd: other, forkedFrom: "first", title: "a" });
    expect(textsOf(copy.state.messages)).toEqual(["a", "1", NO_RESULT]);
    expect(copy.state).toMatchObject({ ended: { reason: "interrupted" }, context: { tokens: 7, window: 9 }, queued: [] });
    // What was allowed in one session is not allowed in another.
    expect(copy.state.rules).toEqual([
      { tool: "bash", pattern: "rm *", effect: "deny" },
      { tool: "write", effect: "ask" },
    ]);
    expect(copy.state.usage.size).toBe(0);
    await copy.append(user("b"));
    expect(await readFile(here.log("first"), "utf8")).toBe(before);
    await session.addResult(result("1"));
    expect(textsOf(session.state.messages)).toEqual(["a", "1", "of 1"]);
    expect(await sessions.latest(other)).toBe(copy.id);
  });

  it("takes an id that is free, and no other", async () => {
    await store("a");
    await store("b");
    await expect(sessions.fork("a", { cwd: here.cwd, id: "b" })).rejects.toMatchObject({ code: "session_exists" });
    await expect(sessions.fork("a", { cwd: here.cwd, id: "a" })).rejects.toMatchObject({ code: "session_exists" });
    await expect(sessions.fork("nowhere", { cwd: here.cwd })).rejects.toMatchObject({ code: "no_session" });
    const copy = await sessions.fork("a", { cwd: here.cwd, id: "c" });
    expect(textsOf(copy.state.messages)).toEqual(["asks a", "yes"]);
    expect(copy.state.ended).toMatchObject({ reason: "end_turn" });
  });
});

describe("Sessions.list()", () => {
  it("has the newest first, of one folder or of all", async () => {
    const [one, two] = [await folder("one"), await folder("two")];
    await store("a", one);
    await store("b", two);
    await store("c", one, `${"word ".repeat(40)}end`);
    for (const [i, id] of ["c", "a", "b"].entries()) await utimes(here.log(id), 1_000 + i, 1_000 + i);
    expect((await sessions.list()).map(({ id }) => id)).toEqual(["b", "a", "c"]);
    expect((await sessions.list(one)).map(({ id }) => id)).toEqual(["a", "c"]);
    expect((await sessions.list(one))[1]).toMatchObject({
      title: "word word word word word word word word word word word word",
      ended: "end_turn",
      messages: 2,
      costUsd: null,
      model: "embedded/scripted",
      cwd: one,
      updated: new Date(1_000_000).toISOString(),
    });
    await symlink(one, join(here.cwd, "link"));
    expect(await sessions.latest(join(here.cwd, "link"))).toBe("a");
    expect(await sessions.latest(here.cwd)).toBeUndefined();
  });

  it("knows how each stands, however long its lines are", async () => {
    const session = await start("running");
    await session.append(user("x".repeat(100_000)));
    expect(await sessions.list()).toMatchObject([{ id: "running", ended: "running", messages: null }]);
    await session.append(calls("1"));
    await session.close();
    expect(await sessions.list()).toMatchObject([{ id: "running", ended: "interrupted" }]);
    const again = await sessions.open("running");
    await again.set({ title: "Named", model: "m/2" });
    await again.append(says("x".repeat(100_000)));
    await again.end("max_cost");
    await again.close();
    expect(await sessions.list()).toMatchObject([{ id: "running", ended: "max_cost", title: "Named", messages: 4 }]);
  });

  it("is not confused by traces and by what else lies there", async () => {
    await store("a");
    for (const name of ["b", "archive"]) {
      await mkdir(join(here.state, "sessions", name));
      await writeFile(join(here.state, "sessions", name, "trace.jsonl"), "{}\n");
    }
    await writeFile(join(here.state, "sessions", "x.jsonl"), "nothing\n");
    await writeFile(join(here.state, "sessions", "empty.jsonl"), "");
    await writeFile(join(here.state, "sessions", ".hidden.jsonl"), "");
    await mkdir(join(here.state, "sessions", "folder.jsonl"));
    expect((await sessions.list()).map(({ id }) => id)).toEqual(["a"]);
  });

  it("lists a thousand", { timeout: 60_000 }, async () => {
    await store("of-0");
    const text = await readFile(here.log("of-0"), "utf8");
    await Promise.all(Array.from({ length: 999 }, (_, i) => writeFile(here.log(`of-${i + 1}`), text.replaceAll("of-0", `of-${i + 1}`))));
    const all = await sessions.list(here.cwd);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1_000);
  });
});

describe("Sessions.remove()", () => {
  it("removes all there is of a session, and nothing else", async () => {
    await store("a");
    await store("b");
    for (const id of ["a", "b"]) {
      await mkdir(join(here.state, "sessions", id));
      await writeFile(join(here.state, "sessions", id, "trace.jsonl"), "{}\n");
      await mkdir(join(here.state, "spills", id), { recursive: true });
    }
    await sessions.remove("a");
    expect(["sessions/a", "sessions/a.jsonl", "sessions/a.lock", "spills/a"].filter((path) => existsSync(join(here.state, path)))).toEqual([]);
    expect(["sessions/b/trace.jsonl", "sessions/b.jsonl", "spills/b"].every((path) => existsSync(join(here.state, path)))).toBe(true);
    await expect(sessions.remove("a")).rejects.toMatchObject({ code: "no_session" });
  });

  it("refuses one that is in use", async () => {
    await store("a");
    const session = await sessions.open("a");
    await expect(sessions.remove("a")).rejects.toMatchObject({ code: "session_locked" });
    await session.close();
    await sessions.remove("a");
  });
});

describe("many sessions at once", () => {
  it("keep to their own files in one process", { timeout: 60_000 }, async () => {
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const session = await start(`s-${n}`);
        for (let i = 0; i < 10; i++) {
          await session.append(user(`${n} ${i}`));
          await session.append(calls(`${i}-a`, `${i}-b`));
          await Promise.all([session.addResult(result(`${i}-b`, `${n}`)), session.addResult(result(`${i}-a`, `${n}`))]);
        }
        await session.end("end_turn");
        await session.close();
      }),
    );
    for (let n = 0; n < 40; n++) {
      const { state, broken } = await sessions.read(`s-${n}`);
      expect(broken).toBe(0);
      expect(textsOf(state.messages)).toEqual(Array.from({ length: 10 }, (_, i) => [`${n} ${i}`, `${i}-a`, `${i}-b`, `${n}`, `${n}`]).flat());
    }
  });
});
