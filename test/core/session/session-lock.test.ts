import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processPlace, processStart } from "../../../core/session/process-start.ts";
import { isHeld, lockSession } from "../../../core/session/session-lock.ts";
import { createSessions } from "../../../core/session/sessions.ts";
import { type Scratch, scratch, startWriter, user } from "./scratch.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-lock-"));
  path = join(folder, "s.lock");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const refused = expect.objectContaining({ code: "session_locked" });

describe("lockSession()", () => {
  it("gives the lock to one at a time, also within a process", async () => {
    const first = await lockSession(path, "s");
    await expect(lockSession(path, "s")).rejects.toEqual(refused);
    first.release();
    first.release();
    const second = await lockSession(path, "s");
    expect(await isHeld(path)).toBe(true);
    second.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it("lets one win of many at once", async () => {
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => lockSession(path, "s")));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of tried) if (each.status === "fulfilled") each.value.release();
  });

  it("takes over what a process that has ended left, and one whose number was used again", async () => {
    const child = startWriter(["nothing"]);
    const { pid = 0 } = child;
    const started = processStart(pid);
    await new Promise((resolve) => child.once("exit", resolve));
    for (const owner of [
      { pid, started, place: processPlace(), token: "t" },
      { pid: process.pid, started: "another time", place: processPlace(), token: "t" },
    ]) {
      await writeFile(path, JSON.stringify(owner));
      (await lockSession(path, "s")).release();
    }
  });

  it("lets one win of many that find a dead owner's lock", async () => {
    for (let round = 0; round < 30; round++) {
      await writeFile(path, JSON.stringify({ pid: process.pid, started: "another time", place: processPlace(), token: "t" }));
      const tried = await Promise.allSettled(Array.from({ length: 10 }, () => lockSession(path, "s")));
      expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const each of tried) if (each.status === "fulfilled") each.value.release();
    }
  });

  it("believes an owner elsewhere, and one that cannot be read, as long as the lock is touched", async () => {
    for (const text of [JSON.stringify({ pid: process.pid, started: "then", place: "another machine", token: "t" }), "{"]) {
      await writeFile(path, text);
      await expect(lockSession(path, "s")).rejects.toEqual(refused);
      const long = new Date(Date.now() - 3_600_000);
      await utimes(path, long, long);
      (await lockSession(path, "s")).release();
    }
  });

  it.skipIf(process.platform === "win32")("waits for no pipe in its place", { timeout: 20_000 }, async () => {
    execFileSync("mkfifo", [path]);
    await expect(lockSession(path, "s")).rejects.toEqual(refused);
    expect(await isHeld(path)).toBe(true);
  });

  it("does not give up the lock of another", async () => {
    const first = await lockSession(path, "s");
    await rm(path);
    const second = await lockSession(path, "s");
    first.release();
    expect(await isHeld(path)).toBe(true);
    second.release();
  });
});

describe("a session and other processes", () => {
  let here: Scratch;
  beforeEach(async () => {
    here = await scratch();
    const session = await createSessions(here.state).create({ id: "shared", model: "m", backend: "ai-sdk", cwd: here.cwd });
    await session.append(user("hi"));
    await session.close();
  });
  afterEach(() => here.remove());

  const answer = async (writer: ReturnType<typeof startWriter>) => JSON.parse((await writer.lines.next()).value ?? "null");

  it("belongs to one of them, until that one ends in whatever way", { timeout: 60_000 }, async () => {
    const writers = Array.from({ length: 4 }, () => startWriter(["claim", here.state, "shared"]));
    const answers = await Promise.all(writers.map(answer));
    expect(answers.toSorted()).toEqual(["has it", "session_locked", "session_locked", "session_locked"]);
    await expect(createSessions(here.state).open("shared")).rejects.toEqual(refused);

    const owner = writers[answers.indexOf("has it")];
    owner?.kill("SIGKILL");
    await new Promise((resolve) => owner?.once("exit", resolve));
    const next = await Promise.all(
      Array.from({ length: 3 }, () => startWriter(["claim", here.state, "shared"])).map(async (each) => ({ each, said: await answer(each) })),
    );
    expect(next.map(({ said }) => said).toSorted()).toEqual(["has it", "session_locked", "session_locked"]);

    for (const { each } of next) each.kill("SIGTERM");
    await Promise.all(
      next.map(
        ({ each }) => new Promise((resolve) => (each.exitCode === null && each.signalCode === null ? each.once("exit", resolve) : resolve(0))),
      ),
    );
    expect(await readdir(join(here.state, "sessions"))).toEqual(["shared.jsonl"]);
  });
});
