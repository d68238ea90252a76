import { describe, expect, it } from "vitest";
import { runWords } from "../../../../../core/cli/headless/sdk/run-words.ts";

describe("runWords()", () => {
  it("says the command line of a program of the SDK in words of run", () => {
    const given = [
      "--output-format",
      "stream-json",
      "--verbose",
      "--input-format",
      "stream-json",
      "--max-turns=2",
      "--max-budget-usd=0.5",
      "--resume=abc",
      "--fork-session",
      "--permission-prompt-tool=stdio",
      "--allowedTools=Read,Bash(git log:*)",
      "--disallowedTools=WebFetch",
      "--tools=Read,Bash",
      "--permission-mode=bypassPermissions",
      "--allow-dangerously-skip-permissions",
    ];
    expect(runWords(given)).toEqual({
      words: [
        "run",
        "--output=stream-json",
        "--verbose",
        "--exit-zero-on-denial",
        "--input=stream-json",
        "--max-turns=2",
        "--max-cost=0.5",
        "--session=abc",
        "--fork-session",
        "--sdk-allow=Read,Bash(git log:*)",
        "--sdk-deny=WebFetch",
        "--sdk-tools=Read,Bash",
        "--permission-mode=bypassPermissions",
      ],
      ignored: [],
    });
  });

  it("names what changes nothing once, with its value", () => {
    const given = ["-p", "Go", "--mcp-config", "{}", "--mcp-config", "{}", "--settings=x", "--strict-mcp-config", "--dangerously-skip-permissions"];
    expect(runWords(given)).toEqual({ words: ["run", "Go", "--yolo"], ignored: ["--mcp-config", "--settings", "--strict-mcp-config"] });
  });

  it("leaves what restricts a run and is not known here, to be refused", () => {
    expect(runWords(["-p", "Go", "--managed-settings", "{}", "--resume-session-at=x"]).words).toEqual([
      "run",
      "Go",
      "--managed-settings",
      "{}",
      "--resume-session-at=x",
    ]);
  });

  it("leaves other command lines as they are, and what stands after --", () => {
    for (const words of [["--version"], ["call", "bash", "-p"], [], ["--help"], ["run", "Go", "--output", "json"]])
      expect(runWords(words)).toEqual({ words, ignored: [] });
    expect(runWords(["run", "-p", "--", "-p", "--settings"]).words).toEqual(["run", "--", "-p", "--settings"]);
  });
});
