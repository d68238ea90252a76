import { describe, expect, it } from "vitest";
import { createKeyPanel } from "../../../../../core/cli/chat/asks/key-panel.ts";

describe("createKeyPanel()", () => {
  it.each<[string, string[], boolean[]]>([
    ["trying again", ["1"], [true]],
    ["stopping", ["2"], [false]],
    ["Escape", ["\u001b"], [false]],
    ["Enter alone", ["\r"], []],
  ])("takes %s", (_name, keys, expected) => {
    const answers: boolean[] = [];
    const panel = createKeyPanel({ model: "a/b", message: "401\u001b[2J" }, (again) => answers.push(again));
    expect(panel.lines({ paint: (_style, text) => text, width: 60, now: 0, expanded: false }, 20)).toContain("| 401\\u{1b}[2J");
    keys.forEach(panel.key);
    expect(answers).toEqual(expected);
  });
});
