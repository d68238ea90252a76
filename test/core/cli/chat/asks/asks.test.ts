import { beforeEach, describe, expect, it } from "vitest";
import { type Asks, createAsks } from "../../../../../core/cli/chat/asks/asks.ts";
import type { Panel } from "../../../../../core/cli/chat/asks/panel.ts";

let now = 0;
let asks: Asks;
beforeEach(() => {
  now = 1_000;
  asks = createAsks({ now: () => now }, () => {});
});
const never = new AbortController().signal;

/** A question that the first key answers. */
const keyed =
  (name: string) =>
  (answer: (key: string) => void): Panel => ({
    lines: () => [name],
    key(data) {
      answer(data);
      return true;
    },
  });
const shown = () => asks.current()?.lines({ paint: (_style, text) => text, width: 80, now, expanded: false }, 10)[0];
const later = (ms: number) => {
  now += ms;
};

describe("createAsks()", () => {
  it("asks one after another", async () => {
    const answers = [asks.ask(keyed("one"), never), asks.ask(keyed("two"), never)];
    expect([shown(), asks.waiting()]).toEqual(["one", 1]);
    later(500);
    asks.key("a");
    expect([shown(), asks.waiting()]).toEqual(["two", 0]);
    later(500);
    asks.key("b");
    expect(await Promise.all(answers)).toEqual(["a", "b"]);
    expect(asks.current()).toBeUndefined();
  });

  it("drops what was typed before the question could be seen, however long somebody goes on typing", async () => {
    const answer = asks.ask(keyed("one"), never);
    shown();
    for (let key = 0; key < 20; key++) {
      asks.key("1");
      later(100);
    }
    expect(shown()).toBe("one");
    later(300);
    asks.key("2");
    expect(await answer).toBe("2");
  });

  it("counts the time from when the question was drawn, not from when it was asked", async () => {
    const answer = asks.ask(keyed("one"), never);
    later(5_000);
    asks.key("1");
    expect(shown()).toBe("one");
    asks.key("1");
    later(500);
    asks.key("2");
    expect(await answer).toBe("2");
  });

  it("does not count the time that drawing took", async () => {
    const slow = (answer: (key: string) => void): Panel => ({
      lines() {
        later(5_000);
        return ["slow"];
      },
      key(data) {
        answer(data);
        return true;
      },
    });
    const answer = asks.ask(slow, never);
    shown();
    asks.key("1");
    later(500);
    asks.key("2");
    expect(await answer).toBe("2");
  });

  it("guards a question anew where the terminal was with somebody else", async () => {
    const keys: string[] = [];
    void asks.ask(() => ({ lines: () => [], key: (key) => keys.push(key) > 0 }), never);
    shown();
    later(500);
    asks.key("a");
    asks.unseen();
    asks.key("b");
    shown();
    asks.key("c");
    later(500);
    asks.key("d");
    expect(keys).toEqual(["a", "d"]);
  });

  it("takes keys in a row once the first one counted", async () => {
    const keys: string[] = [];
    const panel: Panel = { lines: () => [], key: (key) => keys.push(key) > 0 };
    void asks.ask(() => panel, never);
    shown();
    later(500);
    for (const key of "abc") asks.key(key);
    expect(keys).toEqual(["a", "b", "c"]);
  });

  it("takes no digit in a text that was meant for something else", async () => {
    const answers: unknown[] = [];
    const panel = (answer: (key: string) => void): Panel => ({
      lines: () => [],
      key(data) {
        if (data === "1") answer(data);
        return data === "1";
      },
    });
    void asks.ask(panel, never).then((answer) => answers.push(answer));
    shown();
    later(5_000);
    for (const key of "on port 1234") {
      asks.key(key);
      later(120);
    }
    later(100);
    asks.key("1");
    await Promise.resolve();
    expect(answers).toEqual([]);
    later(300);
    asks.key("1");
    await Promise.resolve();
    expect(answers).toEqual(["1"]);
  });

  it("guards the next question anew", () => {
    void asks.ask(keyed("one"), never);
    void asks.ask(keyed("two"), never);
    shown();
    later(500);
    asks.key("a");
    asks.key("a");
    expect(shown()).toBe("two");
  });

  it("gives no answer to one that was cancelled, shown or not", async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [asks.ask(keyed("one"), first.signal), asks.ask(keyed("two"), second.signal)];
    second.abort();
    first.abort();
    expect(await Promise.all(answers)).toEqual([undefined, undefined]);
    expect(await asks.ask(keyed("three"), first.signal)).toBeUndefined();
    expect(asks.current()).toBeUndefined();
  });

  it("gives no answer where the person turned away, and none once it is closed", async () => {
    const one = asks.ask(keyed("one"), never);
    const two = asks.ask(keyed("two"), never);
    asks.turnAway();
    expect(await one).toBeUndefined();
    asks.close();
    expect(await two).toBeUndefined();
    expect(await asks.ask(keyed("three"), never)).toBeUndefined();
  });

  it("takes the first answer alone", async () => {
    let told: ((key: string) => void) | undefined;
    const answer = asks.ask<string>((tell) => {
      told = tell;
      return { lines: () => [], key: () => true };
    }, never);
    told?.("first");
    told?.("second");
    expect(await answer).toBe("first");
  });
});
