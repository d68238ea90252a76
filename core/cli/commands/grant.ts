import { Command } from "commander";
import type { PluginInfo } from "../../host-types.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, refuseWords, withExamples } from "../help.ts";

type GrantOptions = { yes?: true; cwd?: string; json?: true };

export function grantCommand(run: Run): Command {
  const command = new Command("grant")
    .summary("give a plugin what it asks for")
    .description("Gives a plugin what it asks for. Before that it has nothing, and what it does without is passed over.")
    .usage("[options] [name] | revoke <name> | list")
    .argument("[name]", "the plugin's name")
    .option("--yes", "do not ask")
    .option("--cwd <folder>", "the project's folder")
    .option("--json", "print JSON")
    .allowExcessArguments()
    .action((name: string | undefined, options: GrantOptions, self: Command) => {
      refuseWords(self, self.args.length > 1 ? self.args : []);
      return run((cli) => (name === undefined ? list(options, cli) : grant(name, options, cli)));
    });
  command.addCommand(
    withExamples(
      new Command("revoke")
        .description("Takes back what a plugin was granted.")
        .argument("<name>", "the plugin's name")
        .option("--cwd <folder>", "the project's folder")
        .action((name: string, options: GrantOptions) => run((cli) => revoke(name, options, cli))),
      [["grant revoke trim-output", "its layers are passed over from the next call, its blocking ones block"]],
    ),
  );
  command.addCommand(
    withExamples(
      new Command("list")
        .description("Lists what plugins ask for and what they were granted.")
        .option("--cwd <folder>", "the project's folder")
        .option("--json", "print JSON")
        .action((options: GrantOptions) => run((cli) => list(options, cli))),
      [["grant list --json", "for a program"]],
    ),
  );
  return withExamples(command, [
    ["grant", "what plugins ask for, and what they have"],
    ["grant trim-output", "shows what it asks for, and asks you"],
    ["grant revoke trim-output", "takes it back"],
  ]);
}
