import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../../core/session/session.ts";
import { createSessions } from "../../../core/session/sessions.ts";
import { validHistory } from "../../../core/session/valid-history.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { calls, result, type Scratch, says, scratch, user } from "./scratch.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const image = { mediaType: "image/png", base64: "QUJD".repeat(20) };

/** One thing that may happen to a session, at random. */
async function step(session: Session, random: (below: number) => number, n: number): Promise<unknown> {
  const { messages } = session.state;
  const open = session.open().map(({ toolId }) => toolId);
  switch (random(9)) {
    case 0:
      return session.append({ role: "user", text: `${n}`, ...(random(3) === 0 && { images: [image] }) });
    case 1:
      return session.append(says("x".repeat(random(600))));
    case 2:
      return session.append(calls(...Array.from({ length: 1 + random(3) }, () => `t${random(6)}`)));
    case 3:
      return session.addResult(result(open[random(open.length)] ?? `t${random(6)}`, `${n}`));
    case 4:
      return Promise.all(open.map((toolId) => session.addResult({ ...result(toolId), ...(random(3) === 0 && { images: [image] }) })));
    case 5:
      return session.addUsage(`m${random(2)}`, { input: n, output: 1, cacheRead: 0, cacheWrite: 0 }, random(2) === 0 ? null : random(8));
    case 6:
      return session.set({ title: `${n}`, ...(random(2) === 0 && { queued: [{ text: `${n}`, source: "terminal" }] }) });
    case 7:
      return session.end("end_turn");
    case 8: {
      const head = random(messages.length + 1);
      const tail = random(messages.length + 1 - head);
      return session.replace([
        ...messages.slice(0, head),
        ...(random(2) === 0 ? [user(`summary ${n}`)] : []),
        ...messages.slice(messages.length - tail),
      ]);
    }
  }
}

describe("whatever happens to a session", () => {
  it("is the same when it is opened again, also after its log was written anew", { timeout: 120_000 }, async () => {
    for (let seed = 0; seed < 25; seed++) {
      const random = randomOf(seed);
      const sessions = createSessions(here.state, { rewriteBytes: seed % 2 === 0 ? 1_500 : 1_000_000 });
      const id = `s-${seed}`;
      let session = await sessions.create({ id, model: "m", backend: "ai-sdk", cwd: here.cwd });
      await session.append(user("begin"));
      for (let n = 0; n < 80; n++) {
        await step(session, random, n);
        if (random(20) > 0) continue;
        await session.end("end_turn");
        const { updated: _, ...before } = structuredClone({ ...session.state });
        await session.close();
        session = await sessions.open(id);
        expect({ ...session.state }, `seed ${seed}, step ${n}`).toMatchObject(before);
        expect(session.state.messages).toEqual(before.messages);
        expect(validHistory(before.messages)).toMatchObject({ closed: 0, dropped: 0 });
      }
      await session.close();
      expect(await sessions.read(id)).toMatchObject({ broken: 0 });
    }
  });
});

describe("a log with broken bytes anywhere", () => {
  it("gives a history that is valid, or none", { timeout: 120_000 }, async () => {
    const sessions = createSessions(here.state);
    const session = await sessions.create({ id: "s", model: "m", backend: "ai-sdk", cwd: here.cwd });
    const random = randomOf(7);
    await session.append(user("begin"));
    for (let n = 0; n < 60; n++) await step(session, random, n);
    await session.end("end_turn");
    await session.close();
    const whole = await readFile(here.log("s"));
    let read = 0;
    for (let i = 0; i < 150; i++) {
      const bytes = Buffer.from(whole);
      for (let n = 0; n <= random(4); n++) bytes[random(bytes.length)] = random(256);
      const cut = random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      await writeFile(here.log("s"), cut);
      try {
        const stored = await sessions.read("s");
        read++;
        expect(validHistory(stored.state.messages)).toMatchObject({ closed: 0, dropped: 0 });
        const opened = await sessions.open("s");
        await opened.append(user("on"));
        await opened.end("end_turn");
        await opened.close();
        const again = await sessions.read("s");
        expect(again).toMatchObject({ ended: "end_turn", broken: stored.broken });
        expect(again.state.messages.at(-1)).toEqual(user("on"));
      } catch (cause) {
        if (!(cause instanceof MortiseError)) throw cause;
        expect(["session_broken", "no_session"]).toContain(cause.code);
      }
    }
    expect(read).toBeGreaterThan(50);
  });
});
