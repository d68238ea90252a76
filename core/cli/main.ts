import { type Command, CommanderError } from "commander";
import { withCommand } from "./chat/chat-words.ts";
import { isOnTerminal } from "./chat/start-chat.ts";
import type { Cli } from "./cli.ts";
import { exits } from "./exits.ts";
import { resultFormOf } from "./headless/result.ts";
import { runWords } from "./headless/sdk/run-words.ts";
import { refuseWords } from "./help.ts";
import { createProgram } from "./program.ts";
import { report, type Told } from "./report.ts";
import { watchSignals } from "./signals.ts";
import { createStdio } from "./stdio.ts";

/** Runs one command line. Answers the exit code; nothing is left running. */
async function main(words: readonly string[], cli: Cli): Promise<number> {
  let exit: number = exits.ok;
  let help = "";
  const program = createProgram(
    async (command) => {
      exit = await command(cli);
    },
    (text) => {
      help += text;
    },
  );
  try {
    refuseHelpOn(program, words);
    await program.parseAsync(withCommand(words, isOnTerminal()), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0))
      return report(error, cli, { as: toldFor(words), command: program.commands.find((each) => each.name() === words[0])?.name() });
  }
  await cli.stdio.write(help);
  return exit;
}

/** Commander shows its own internals for `help` on a command that is not there. */
function refuseHelpOn(program: Command, [help, ...about]: readonly string[]): void {
  const [word] = about;
  if (help !== "help" || word === undefined || word.startsWith("-") || word === "help") return;
  if (!program.commands.some((each) => each.name() === word)) refuseWords(program, about);
}

let isTold = false;

/** Also where the words around it are not valid. What is told once is not told again. */
function toldFor(words: readonly string[]): Told {
  if (isTold) return "nothing";
  isTold = true;
  const form = resultFormOf(words);
  if (form !== undefined) return form;
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? undefined : end).includes("--json") ? "error" : "nothing";
}

const signals = watchSignals();
const stdio = createStdio(signals.aborted);
const { words, ignored } = runWords(process.argv.slice(2));
let crash = (error: unknown) => report(error, cli, { as: toldFor(words), command: undefined });
const cli: Cli = {
  stdio,
  aborted: signals.aborted,
  onCrash(tell) {
    crash = tell;
  },
};

process.once("uncaughtException", async (error) => {
  // What breaks next is told, and changes nothing any more.
  process.on("uncaughtException", (later) => stdio.say(`mortise: ${later.message}`));
  const exit = await crash(error);
  await stdio.flush();
  process.exit(signals.exitCode() ?? exit);
});

for (const option of ignored) stdio.say(`mortise: ${option} changes nothing here.`);
const exit = await main(words, cli);
const failure = stdio.failure();
if (failure !== undefined) stdio.say(`mortise: Standard output failed: ${failure.message}`);
await stdio.flush();
process.exit(signals.exitCode() ?? (failure === undefined ? exit : exit || exits.failed));
