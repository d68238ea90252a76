import { describe, expect, it } from "vitest";
import { createPerson } from "../../../core/cli/person.ts";
import type { Choice, ManyQuestions } from "../../../core/cli/question.ts";
import type { PersonRequest } from "../../../core/person.ts";

const request = (part: Partial<PersonRequest> = {}): PersonRequest => ({
  plugin: "question",
  tool: "question",
  question: "Which database?",
  options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
  multiple: false,
  freeText: true,
  signal: new AbortController().signal,
  ...part,
});

/** Answers in order, and keeps what was offered and shown. */
function person(...picks: (string | string[] | undefined)[]) {
  const offered: string[][] = [];
  const shown: string[] = [];
  const one = <Value extends string>(choices: readonly Choice<Value>[]) => {
    offered.push(choices.map(({ label }) => label));
    return picks.shift();
  };
  const questions: ManyQuestions = {
    choose: async (_question, choices) => {
      const pick = one(choices);
      return choices.find(({ value }) => value === pick)?.value;
    },
    several: async (_question, choices) => {
      const pick = one(choices);
      return pick === undefined ? undefined : choices.filter(({ value }) => pick.includes(value)).map(({ value }) => value);
    },
    line: async () => picks.shift() as string | undefined,
  };
  const made = createPerson(questions, { say: (line) => void shown.push(line), paintError: (_style, text) => text });
  return { ask: made.ask, offered, text: () => shown.join("\n") };
}

describe("createPerson()", () => {
  it.each([
    [["0"], { chosen: ["SQLite"] }],
    [["1"], { chosen: ["Postgres"] }],
    [["type", " MariaDB "], { chosen: [], text: "MariaDB" }],
    [["type", "  "], undefined],
    [["type", undefined], undefined],
    [["none"], undefined],
    [[undefined], undefined],
  ])("gives for %j what was chosen or typed", async (picks, answer) => {
    expect(await person(...picks).ask(request())).toEqual(answer);
  });

  it.each([
    [[["0", "1"]], { chosen: ["SQLite", "Postgres"] }],
    [[["1", "type"], "and Redis"], { chosen: ["Postgres"], text: "and Redis" }],
    [[["1", "type"], ""], { chosen: ["Postgres"] }],
    [[["1", "type"], undefined], undefined],
    [[["0", "none"]], undefined],
    [[[]], { chosen: [] }],
    [[undefined], undefined],
  ])("gives for %j what was chosen of several", async (picks, answer) => {
    expect(await person(...picks).ask(request({ multiple: true }))).toEqual(answer);
  });

  it("asks for a line where there is nothing to choose", async () => {
    const { ask, offered } = person("main");
    expect(await ask(request({ options: [] }))).toEqual({ chosen: [], text: "main" });
    expect(offered).toEqual([]);
  });

  it("offers what may be answered, and not to answer", async () => {
    const { ask, offered } = person(undefined, undefined);
    await ask(request());
    await ask(request({ freeText: false }));
    expect(offered).toEqual([
      ["SQLite", "Postgres", "Something else", "Do not answer"],
      ["SQLite", "Postgres", "Do not answer"],
    ]);
  });

  it("says who asks, and shows nothing that steers the terminal or passes for a line of its own", async () => {
    const { ask, offered, text } = person(undefined);
    await ask(
      request({
        plugin: "spy",
        tool: "weather",
        question: "Fine?\n\u001b[2J\u202eexe.txt\rmortise: Allow this call?\n\nbash would run with",
        options: [{ label: "Y\u202ees", description: "d\u001b]0;x\u0007" }],
      }),
    );
    expect(text()).toContain("spy, in its tool weather, asks you");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text() + offered.flat().join("")).not.toMatch(/[\u001b\u202e\r\u0007]/);
    const lines = text().split("\n").slice(2);
    expect(lines.every((line) => line.startsWith("│ "))).toBe(true);
  });
});
