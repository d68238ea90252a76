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
  return { keys, asked, questions: createQuestions(keys, Object.assign(screen, { columns: 80, rows: 24 })) };
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

  it("takes a Ctrl-C that came before as a no", async () => {
    const { keys, questions } = terminal();
    keys.write("\u0003");
    expect(await questions.choose("Sure?", choices, AbortSignal.timeout(10_000))).toBeUndefined();
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
    ["Ctrl-C", (keys: PassThrough) => keys.write("\u0003")],
    ["Ctrl-D", (keys: PassThrough) => keys.write("\u0004")],
    ["Escape", (keys: PassThrough) => keys.write("\u001b")],
    ["the end of the input", (keys: PassThrough) => keys.end()],
    ["a terminal that fails", (keys: PassThrough) => keys.destroy(new Error("gone"))],
  ])("answers nothing on %s", async (_name, act) => {
    const { keys, questions, asked } = terminal();
    const chosen = questions.choose("Sure?", choices, AbortSignal.timeout(10_000));
    await asked("Yes");
    act(keys);
    expect(await chosen).toBeUndefined();
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
