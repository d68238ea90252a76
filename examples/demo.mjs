// Shows the example plugins at work: real calls of the bash tool through the real command line, in a scratch repository.
import "../core/node-version.mjs";
import { print, printEnd } from "./demo-print.mjs";
import { makeScratch } from "./demo-scratch.mjs";

const plugins = ["redact-secrets", "cache", "trim-output", "rewrite-grep", "no-force-push", "ask-terraform", "allow-status"];

console.log("Each call starts a host of its own.\nThe first judge to look at a command waits for the parser to start.");
const scratch = makeScratch(plugins);
const steps = [
  {
    title: "Looking is allowed without a question",
    command: "git status --short",
    expect: (call) => call.ran && call.permission.source === "layer:allow-status" && call.text.includes("README.md"),
  },
  {
    title: "But not what hides behind it",
    command: "git status; rm -rf src",
    note: "nobody is there to be asked, so it is denied",
    expect: (call) => !call.ran && call.exit === 5 && scratch.has("src/app.ts"),
  },
  {
    title: scratch.hasRipgrep ? "grep -r runs as rg" : "grep -r stays as it is where rg is not installed",
    command: "grep -rn TODO src",
    args: ["--yolo"],
    note: scratch.hasRipgrep ? undefined : "install rg to see this one rewritten",
    expect: (call) => call.ran && call.input.command === (scratch.hasRipgrep ? "rg -n TODO src" : "grep -rn TODO src") && call.text.includes("TODO"),
  },
  {
    title: "A judge refuses a force push, however it is written",
    command: "cd src && git -C .. push origin main --force",
    args: ["--yolo"],
    expect: (call) => !call.ran && call.exit === 1 && call.stopped?.plugin === "no-force-push",
  },
  {
    title: "Compiler noise is dropped",
    command: "sh build.sh",
    args: ["--yolo"],
    expect: (call) => call.ran && !call.text.includes("Compiling") && call.text.includes("warning: unused variable"),
  },
  {
    title: "Secrets never arrive, not even in a failure",
    command: "cat .env; exit 3",
    args: ["--yolo"],
    expect: (call) => call.ran && call.isError && !call.text.includes("ghp_") && call.text.includes("[redacted]") && !call.raw.includes("ghp_"),
  },
  {
    title: "Live infrastructure asks, also under --yolo",
    command: "terraform apply -auto-approve",
    args: ["--yolo"],
    note: "nobody is there to be asked, so it is denied",
    expect: (call) => !call.ran && call.exit === 5 && !scratch.has("applied"),
  },
  {
    title: "A person says yes",
    command: "terraform apply -auto-approve",
    args: ["--answer", "allow"],
    expect: (call) => call.ran && call.permission.source === "person" && scratch.has("applied"),
  },
  {
    title: "The first time, the tool answers",
    command: "git --version",
    args: ["--yolo"],
    expect: (call) => call.ran && call.text.startsWith("git version"),
  },
  {
    title: "The second time, the cache does",
    command: "git --version",
    args: ["--yolo"],
    expect: (call) => !call.ran && !call.isError && call.respondedBy === "cache" && call.text.startsWith("git version"),
  },
];

let wrong = 0;
try {
  for (const [index, step] of steps.entries()) {
    const call = scratch.call(step.command, step.args ?? []);
    const expected = call.trace !== undefined && step.expect(call);
    if (!expected) wrong += 1;
    print(index + 1, step, call, expected);
  }
} finally {
  scratch.remove();
}
printEnd(steps.length, wrong);
process.exitCode = wrong === 0 ? 0 : 1;
