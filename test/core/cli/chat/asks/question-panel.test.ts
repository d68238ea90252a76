import { describe, expect, it } from "vitest";
import { createQuestionPanel } from "../../../../../core/cli/chat/asks/question-panel.ts";
import type { PersonRequest } from "../../../../../core/person.ts";
import type { PersonAnswer } from "../../../../../sdk/api.ts";

const ENTER = "\r";
const ESCAPE = "\u001b";
const request: PersonRequest = {
  plugin: "db",
  tool: "ask_db",
  question: "Which database?\u001b[2J",
  options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
  multiple: false,
  freeText: true,
  signal: new AbortController().signal,
};

function answersTo(keys: readonly string[], change: Partial<PersonRequest> = {}): (PersonAnswer | undefined)[] {
  const answers: (PersonAnswer | undefined)[] = [];
  const panel = createQuestionPanel({ ...request, ...change }, (answer) => answers.push(answer));
  keys.forEach(panel.key);
  return answers;
}

describe("createQuestionPanel()", () => {
  it.each<[string, string[], Partial<PersonRequest>, (PersonAnswer | undefined)[]]>([
    ["an option", ["2"], {}, [{ chosen: ["Postgres"] }]],
    ["other words", ["3", "M", "y", ENTER], {}, [{ chosen: [], text: "My" }]],
    ["no words", ["3", ENTER], {}, [undefined]],
    ["turning away", ["4"], {}, [undefined]],
    ["Escape", [ESCAPE], {}, [undefined]],
    ["Enter alone", [ENTER], {}, []],
    ["several", ["1", "2", "3"], { multiple: true }, [{ chosen: ["SQLite", "Postgres"] }]],
    ["one that was taken back", ["1", "1", "2", "3"], { multiple: true }, [{ chosen: ["Postgres"] }]],
    ["several and words", ["1", "4", "x", ENTER], { multiple: true }, [{ chosen: ["SQLite"], text: "x" }]],
    ["words where there are no options", ["h", "i", ENTER], { options: [] }, [{ chosen: [], text: "hi" }]],
  ])("takes %s", (_name, keys, change, expected) => {
    expect(answersTo(keys, change)).toEqual(expected);
  });

  it("says who asks, and lets its words steer nothing", () => {
    const panel = createQuestionPanel(request, () => {});
    const text = panel.lines({ paint: (_style, of) => of, width: 80, now: 0, expanded: false }, 20).join("\n");
    expect(text).toContain("db, in its tool ask_db, asks you");
    expect(text).toContain("| Which database?\\u{1b}[2J");
    expect(text).toContain("  1 SQLite\n    one file");
  });
});
