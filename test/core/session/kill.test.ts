import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createSessions } from "../../../core/session/sessions.ts";
import { validHistory } from "../../../core/session/valid-history.ts";
import { type Scratch, scratch, startWriter, textsOf } from "./scratch.ts";

/** How often a process is killed; `MORTISE_KILL_POINTS=200` takes a minute or two. */
const points = Number(process.env.MORTISE_KILL_POINTS ?? 8);

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

describe("a process that is killed", () => {
  it(`loses nothing that it said was stored, at ${points} random points`, { timeout: 60_000 + points * 2_000 }, async () => {
    const sessions = createSessions(here.state);
    const left = { killedWithin: 0, interrupted: 0 };
    for (let point = 0; point < points; point++) {
      // Some go on with a session that was killed before.
      const id = `s-${Math.floor(point / 3)}`;
      const writer = startWriter(["append", here.state, id]);
      const gone = new Promise((resolve) => writer.once("exit", resolve));
      const said: unknown[] = [];
      const first = await writer.lines.next();
      said.push(JSON.parse(first.value ?? "null"));
      await sleep(Math.random() * 60);
      writer.kill("SIGKILL");
      for await (const line of writer.lines) said.push(parsed(line));
      await gone;

      const session = await sessions.open(id);
      const { messages, ended } = session.state;
      const texts = textsOf(messages);
      // Of what was replaced the history has a summary; all that came since has to be there.
      const summary = summaryOf(texts);
      const at = summary === undefined ? -1 : said.findIndex((each) => Marker.safeParse(each).data?.forgets === summary);
      const lost = said.slice(at + 1).filter((each) => typeof each === "string" && !texts.includes(each));
      expect(lost.map((text) => String(text).slice(0, 40))).toEqual([]);
      const forgot = said.flatMap((each) => Marker.safeParse(each).data?.forgot ?? []).at(-1);
      expect(summary ?? -1).toBeGreaterThanOrEqual(forgot ?? -1);
      expect(ended).not.toBeNull();
      expect(validHistory(messages)).toMatchObject({ closed: 0, dropped: 0 });
      if (ended?.reason === "interrupted") left.interrupted++;
      if (said.length > 1) left.killedWithin++;
      await session.close();
      expect(await sessions.read(id)).toMatchObject({ broken: 0, dropped: 0 });
    }
    expect(left.killedWithin).toBeGreaterThan(0);
    expect(left.interrupted).toBeGreaterThan(0);
  });
});

const Marker = z.object({ forgets: z.optional(z.number()), forgot: z.optional(z.number()) });

/** Of which run the last summary is that the history begins with. */
function summaryOf([first = ""]: readonly string[]): number | undefined {
  const run = /^summary (\d+)$/.exec(first)?.[1];
  return run === undefined ? undefined : Number(run);
}

/** A line may be cut off by the kill; it was not said then. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
