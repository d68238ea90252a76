import { type Asked, type Done, failed, fenced, type Reply, type Rule, resultsOf } from "../rule.ts";

const QUESTION =
  /\b(run|execute|start)\b[^.?!]*\btests?\b|\bdo(es)?\b[^.?!]*\btests?\b[^.?!]*\b(pass|fail|work|green)\b|\b(failing|broken) tests\b|^\s*tests?\s*[.?!]?$/i;
const MARKS = ["package.json", "deno.json", "Cargo.toml", "go.mod", "pyproject.toml", "pytest.ini", "mix.exs", "Makefile"];
const COMMANDS: Readonly<Record<string, string>> = {
  "package.json": "npm test",
  "deno.json": "deno test",
  "Cargo.toml": "cargo test",
  "go.mod": "go test ./...",
  "pyproject.toml": "python -m pytest",
  "pytest.ini": "python -m pytest",
  "mix.exs": "mix test",
  Makefile: "make test",
};
const TIMEOUT_S = 600;
const MOST_LINES = 20;
const FAILURE =
  /\bFAIL(ED|URE|URES)?\b|^\s*(✗|✘|×|✕|not ok\b)|\bAssertionError\b|^\s*E\s{2,}|^---? FAIL|\bpanicked at\b|^(Error|TypeError|ReferenceError)\b|^error(\[|:)|\bfailed\b.*\b\d+\b|\b[1-9]\d* (failed|failing)\b/;

export const runTests: Rule = {
  name: "run-tests",
  example: "Run the tests and report failures",
  needs: ["bash", "glob"],
  answer: (asked) => (QUESTION.test(asked.text) ? run(asked) : undefined),
};

function run(asked: Asked): Reply {
  const [ran] = resultsOf(asked, "bash");
  if (ran !== undefined) return { text: report(ran) };
  const written = /`([^`\n]+)`/.exec(asked.text)?.[1];
  if (written !== undefined) return start(written);
  const [found] = resultsOf(asked, "glob");
  if (found === undefined) return { text: "I look how tests are run here.", calls: [{ tool: "glob", input: { pattern: `{${MARKS.join(",")}}` } }] };
  if (found.isError) return failed(found);
  const files = new Set(found.text.split("\n"));
  const mark = MARKS.find((name) => files.has(name));
  const command = mark === undefined ? undefined : COMMANDS[mark];
  if (command === undefined)
    return { text: `I see no ${MARKS.join(", ")} here, so I do not know how to run the tests. Say it: "Run the tests with \`make check\`".` };
  return start(command);
}

function start(command: string): Reply {
  return { text: `I run \`${command}\`.`, calls: [{ tool: "bash", input: { command, timeout: TIMEOUT_S, description: "Run the tests" } }] };
}

function report({ text, isError, input }: Done): string {
  const command = typeof input.command === "string" ? `\`${input.command}\`` : "The command";
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (!isError) return `The tests passed: ${command} ended without an error.\n\n${fenced(lines.slice(-5).join("\n"))}`;
  // What never ran has no failures to show.
  if (!/^(Exit code|Signal): |^\[timed out/m.test(text)) return `${command} did not run:\n\n${fenced(text)}`;
  const failures = lines.filter((line) => FAILURE.test(line));
  const shown = failures.length === 0 ? lines.slice(-MOST_LINES) : failures.slice(0, MOST_LINES);
  const more = failures.length > MOST_LINES ? `\n\nand ${failures.length - MOST_LINES} more lines like these.` : "";
  return `The tests failed: ${command}, ${lines.findLast((line) => /^(Exit code|Signal): |^\[timed out/.test(line)) ?? ""}.\n\n${fenced(shown.join("\n"))}${more}`;
}
