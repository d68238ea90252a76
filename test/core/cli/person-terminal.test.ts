import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ended, entry, findPrograms, jsonOf, type Scratch, scratch } from "./run-cli.ts";

const DOWN = "\u001b[B";
const ENTER = "\r";

// The one of util-linux: others take their command differently.
const pseudoTerminal = process.platform === "linux" && findPrograms("script").length > 0;
const input = JSON.stringify({
  questions: [
    { question: "Which database?\u001b[2J", header: "Database", options: [{ label: "SQLite" }, { label: "Postgres" }] },
    { question: "Which branch?", header: "Branch" },
  ],
});

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

describe.runIf(pseudoTerminal)("a question of a tool on a terminal", () => {
  it("is put to the person, who sees who asks and nothing that steers the screen", { timeout: 60_000 }, async () => {
    const words = [process.execPath, entry, "call", "question", input].map((word) => `'${word}'`).join(" ");
    const child = spawn("script", ["-qfec", `stty rows 40 cols 120; ${words}`, "/dev/null"], {
      cwd: here.folder,
      env: { ...here.env, TERM: "xterm" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const answers: [string, string[]][] = [
      ["Do not answer", [DOWN, ENTER]],
      ["Which branch?", ["main", ENTER]],
    ];
    let screen = "";
    const type = ([key, ...rest]: readonly string[]) => {
      if (key === undefined) return;
      child.stdin.write(key);
      setTimeout(type, 100, rest);
    };
    child.stdout.on("data", (bytes: Buffer) => {
      screen += bytes.toString("utf8");
      const [next] = answers;
      if (next === undefined || !stripVTControlCharacters(screen).includes(next[0])) return;
      answers.shift();
      // Keys that come before the question is there are dropped.
      setTimeout(type, 400, next[1]);
    });
    const giveUp = setTimeout(() => child.kill("SIGKILL"), 50_000);
    const { code } = await ended(child);
    clearTimeout(giveUp);
    const shown = stripVTControlCharacters(screen).replaceAll("\r", "");
    expect(shown).toContain("question asks you\n│ Which database?\\u{1b}[2J");
    expect(shown).toContain("Database: Postgres\nBranch: main\n");
    expect(code).toBe(0);
  });
});

describe("a question of a tool without a terminal", () => {
  it("is not there", async () => {
    const { code, stdout } = await here.run(["call", "question", input, "--json"]);
    expect(jsonOf(stdout)).toMatchObject({ ran: false, code: "unknown_tool" });
    expect(code).toBe(2);
  });
});
