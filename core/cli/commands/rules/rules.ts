import { Command } from "commander";
import { type Run, refuseWords, withExamples } from "../../help.ts";
import { checkCasesCommand } from "./check-cases.ts";
import { explainCommand } from "./explain.ts";
import { importCommand } from "./import.ts";
import { testCommand } from "./test.ts";

export function rulesCommand(run: Run): Command {
  const command = new Command("rules")
    .summary("explain, test and import permission rules")
    .description("Says what permission rules make of a call, tests them, and reads those of other agents.")
    .usage("explain <command> | test <file> | check-cases <files> | import <agent> [file]")
    .allowExcessArguments()
    .action((_options: unknown, self: Command) => {
      refuseWords(self, self.args);
      self.help();
    });
  for (const child of [explainCommand, testCommand, checkCasesCommand, importCommand]) command.addCommand(child(run));
  return withExamples(command, [
    [`rules explain "git push --force"`, "which rule decides, and where it stands"],
    ["rules test team-policy.jsonl", "whether your rules still say what your team agreed on"],
    ["rules import claude", "what another agent's rules are here"],
  ]);
}
