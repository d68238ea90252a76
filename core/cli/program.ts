import { Command } from "commander";
import { callCommand } from "./commands/call.ts";
import { chatCommand } from "./commands/chat.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { grantCommand } from "./commands/grant.ts";
import { logsCommand } from "./commands/logs.ts";
import { modelsCommand } from "./commands/models.ts";
import { pluginsCommand } from "./commands/plugins.ts";
import { rulesCommand } from "./commands/rules/rules.ts";
import { runCommand } from "./commands/run.ts";
import { sessionCommand } from "./commands/session.ts";
import { slotsCommand } from "./commands/slots.ts";
import { toolsCommand } from "./commands/tools.ts";
import { traceCommand } from "./commands/trace.ts";
import { trustCommand } from "./commands/trust.ts";
import { type Run, withExamples } from "./help.ts";

/** The command line. Each command's file says its options and help, and loads what it does when it runs. Errors are thrown, and told by whoever catches them. */
export function createProgram(run: Run, print: (text: string) => void): Command {
  const program = new Command("mortise")
    .description("Rewrites, blocks, asks about, trims and redacts what a coding agent does, by small plugins in isolates of their own.")
    .usage("<command> [options]")
    .option("-V, --version", "print the version");
  withExamples(program, [
    ["", "opens a chat with an agent, on a terminal"],
    [`run "how many TypeScript files are here?"`, "lets an agent work, and prints its answer"],
    [`call bash '{"command":"git status"}'`, "calls a tool through everything you have set up"],
    ["slots", "shows which plugin wraps what, and in which order"],
    ["doctor", "says what is wrong, and how to mend it"],
  ]);
  program.addHelpText("after", EXIT_CODES);
  for (const command of [
    chatCommand,
    runCommand,
    callCommand,
    slotsCommand,
    toolsCommand,
    modelsCommand,
    pluginsCommand,
    grantCommand,
    trustCommand,
    rulesCommand,
    doctorCommand,
    sessionCommand,
    traceCommand,
    logsCommand,
  ]) {
    program.addCommand(command(run));
  }
  settle(program, print);
  return program;
}

const EXIT_CODES = `
Exit codes:
  0  success                  4  no such session, or it is in use
  1  the run or tool failed,  5  a permission decision stopped a call
     or a plugin stopped it   6  a limit of turns, cost or tokens
  2  usage                    130, 143  a signal ended it
  3  timeout`;

function settle(command: Command, print: (text: string) => void): void {
  command
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} });
  for (const child of command.commands) settle(child, print);
}
