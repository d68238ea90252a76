import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createQuestions } from "../../../core/cli/question.ts";

const DOWN = "\u001b[B";
const choices = [
  { value: "no", label: "No" },
  { value: "yes", label: "Yes" },
] as const;

/** A terminal whose keys are written by hand, and what it shows. */
function terminal() {
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  let shown = "";
  const screen = new Writable({
    write(chunk, _encoding, done) {
      shown += String(chunk);
      done();
    },
  });
  const asked = async (text: string) => {
    while (!shown.includes(text)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  let interrupts = 0;
  const questions = createQuestions(keys, Object.assign(screen, { columns: 80, rows: 24 }), () => interrupts++);
  return { keys, asked, questions, shown: () => shown, interrupts: () => interrupts };
}

describe("createQuestions()", () => {
  it("drops keys that were pressed before the question was there", async () => {
    const { keys, questions, asked } = terminal();
    keys.write(`${DOWN}\r`);
    const gone = new AbortController();
    const answer = questions.choose("Sure?", choices, gone.signal);
    await asked("Yes");
    gone.abort();
    expect(await answer).toBeUndefined();
  });

  it.each([
    ["Ctrl-C", "\u0003", 1],
    ["Ctrl-D", "\u0004", 0],
  ])("takes a %s that came before as a no", async (_name, key, times) => {
    const { keys, questions, interrupts } = terminal();
    keys.write(key);
    expect(await questions.choose("Sure?", choices, AbortSignal.timeout(10_000))).toBeUndefined();
    expect(interrupts()).toBe(times);
  });

  it("answers what is chosen, and the first for Enter alone", async () => {
    for (const [typed, answer] of [
      [`${DOWN}\r`, "yes"],
      ["\r", "no"],
    ] as const) {
      const { keys, questions, asked } = terminal();
      const chosen = questions.choose("Sure?", choices, AbortSignal.timeout(10_000));
      await asked("Yes");
      keys.write(typed);
      expect(await chosen).toBe(answer);
    }
  });

  it.each([
    ["Ctrl-C", (keys: PassThrough) => keys.write("\u0003"), 1],
    ["Ctrl-D", (keys: PassThrough) => keys.write("\u0004"), 0],
    ["Escape", (keys: PassThrough) => keys.write("\u001b"), 0],
    ["the end of the input", (keys: PassThrough) => keys.end(), 0],
    ["a terminal that fails", (keys: PassThrough) => keys.destroy(new Error("gone")), 0],
  ])("answers nothing on %s, and only Ctrl-C interrupts", async (_name, act, times) => {
    const { keys, questions, asked, interrupts } = terminal();
    const chosen = questions.choose("Sure?", choices, AbortSignal.timeout(10_000));
    await asked("Yes");
    act(keys);
    expect(await chosen).toBeUndefined();
    expect(interrupts()).toBe(times);
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
    ["Escape", "\u001b"],
  ])("draws its end over the question on %s, and no line before", async (_name, key) => {
    const { keys, questions, asked, shown } = terminal();
    const chosen = questions.choose("Sure?", choices, AbortSignal.timeout(10_000));
    await asked("Yes");
    const before = shown().length;
    keys.write(key);
    await chosen;
    // What is drawn begins with going up to the question, from the line where the question left the cursor.
    const drawn = shown().slice(before);
    expect(drawn.slice(0, drawn.indexOf("Sure?"))).not.toContain("\n");
  });

  it("gives all that are chosen of several, none too, and nothing on Ctrl-C", async () => {
    for (const [typed, answer] of [
      [
        [" ", DOWN, " ", "\r"],
        ["no", "yes"],
      ],
      [[DOWN, " ", "\r"], ["yes"]],
      [["\r"], []],
      [[" ", "\u0003"], undefined],
    ] as const) {
      const { keys, questions, asked } = terminal();
      const chosen = questions.several("Which?", choices, AbortSignal.timeout(10_000));
      await asked("Yes");
      for (const key of typed) keys.write(key);
      expect(await chosen).toEqual(answer);
    }
  });

  it("reads a line, and nothing on Ctrl-C", async () => {
    const { keys, questions, asked } = terminal();
    const line = questions.line("Instead?", AbortSignal.timeout(10_000));
    await asked("Instead?");
    keys.write("use rg\r");
    expect(await line).toBe("use rg");
    const next = questions.line("And then?", AbortSignal.timeout(10_000));
    await asked("And then?");
    keys.write("half a li\u0003");
    expect(await next).toBeUndefined();
  });
});
