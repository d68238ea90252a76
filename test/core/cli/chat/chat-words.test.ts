import { describe, expect, it } from "vitest";
import { withCommand } from "../../../../core/cli/chat/chat-words.ts";

describe("withCommand()", () => {
  it.each<[string[], boolean, string[]]>([
    [[], true, ["chat"]],
    [[], false, ["--help"]],
    [["--continue"], true, ["chat", "--continue"]],
    [["-m", "a/b"], false, ["chat", "-m", "a/b"]],
    [["--help"], true, ["--help"]],
    [["-V"], true, ["-V"]],
    [["run", "--help"], true, ["run", "--help"]],
    [["--", "x"], true, ["--", "x"]],
  ])("makes of %j, on a terminal or not (%s), %j", (words, isOnTerminal, expected) => {
    expect(withCommand(words, isOnTerminal)).toEqual(expected);
  });
});
