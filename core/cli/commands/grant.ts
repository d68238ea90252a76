import { Command } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Host, PluginInfo } from "../../host-types.ts";
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

async function grant(name: string, options: GrantOptions, cli: Cli): Promise<number> {
  return withPlugins(options, cli, async (host) => {
    const plugin = host.plugins().find((each) => each.name === name);
    if (plugin === undefined) throw await unknown(name, host);
    const { waitsFor } = await import("../grants-text.ts");
    if (waitsFor(plugin) === "") {
      cli.stdio.say(`${name} has all that it asks for.`);
      return exits.ok;
    }
    const [{ askConsent, consentText }, { consentLines }] = await Promise.all([import("../consent.ts"), import("../../grants/consent.ts")]);
    const question = { ...plugin, plugin: name, consent: consentLines(plugin.asks, plugin.steer) };
    // Where nobody can be asked, the command itself is the decision.
    if (options.yes || !cli.stdio.interactive) cli.stdio.say(consentText(question, cli.stdio));
    else {
      const { createQuestions } = await import("../question.ts");
      if ((await askConsent(question, createQuestions(), cli.stdio, cli.aborted)) !== "yes") {
        cli.stdio.say("Nothing was changed.");
        return exits.permission;
      }
    }
    const granted = await host.grant(name);
    if (options.json) await cli.stdio.json(entryOf(granted, waitsFor));
    else cli.stdio.say(`${name} is granted this.`);
    return exits.ok;
  });
}

async function revoke(name: string, options: GrantOptions, cli: Cli): Promise<number> {
  return withPlugins(options, cli, async (host) => {
    const taken = await host.revoke(name);
    const plugin = host.plugins().find((each) => each.name === name);
    if (taken === 0 && plugin === undefined) throw await unknown(name, host);
    cli.stdio.say(taken === 0 ? `${name} was granted nothing.` : `${name} is granted nothing any more.`);
    const { grantsOf } = await import("../grants-text.ts");
    const left = plugin?.origin === "user" || plugin?.origin === "project" ? grantsOf(plugin) : "";
    if (left !== "") cli.stdio.say(`Your config still grants it ${left}.`);
    return exits.ok;
  });
}

async function list(options: GrantOptions, cli: Cli): Promise<number> {
  return withPlugins(options, cli, async (host) => {
    const { asksOf, grantsOf, waitsFor } = await import("../grants-text.ts");
    const plugins = host.plugins().filter((plugin) => plugin.origin !== "builtin" && asksOf(plugin) !== "");
    if (options.json) await cli.stdio.json(plugins.map((plugin) => entryOf(plugin, waitsFor)));
    else {
      const [{ tableOf }, { visibleLine }] = await Promise.all([import("../table.ts"), import("../visible.ts")]);
      const { paint } = cli.stdio;
      const rows = plugins.map((plugin) => {
        const waits = waitsFor(plugin);
        return [
          paint("bold", visibleLine(plugin.name)),
          plugin.origin.replace("_", " "),
          visibleLine(grantsOf(plugin) === "" ? "nothing granted" : `has ${grantsOf(plugin)}`),
          waits === "" ? "" : paint("yellow", visibleLine(`asks for ${waits}`)),
        ];
      });
      if (rows.length === 0) cli.stdio.say("No plugin asks for anything.");
      for (const line of tableOf(rows)) await cli.stdio.write(`${line}\n`);
    }
    return exits.ok;
  });
}

async function withPlugins(options: GrantOptions, cli: Cli, use: (host: Host) => Promise<number>): Promise<number> {
  const { withHost } = await import("../with-host.ts");
  return withHost({ grant: true, plugins: true, ...(options.cwd === undefined ? {} : { cwd: options.cwd }) }, cli, use);
}

async function unknown(name: string, host: Host): Promise<MortiseError> {
  const { quoteWithClose } = await import("../../close-names.ts");
  return new MortiseError("unknown_plugin", {
    seen: quoteWithClose(
      name,
      host.plugins().map((plugin) => plugin.name),
    ),
  });
}

function entryOf(plugin: PluginInfo, waitsFor: (plugin: PluginInfo) => string) {
  const { name, path, origin, asks, steer, granted, grantedSteer } = plugin;
  return { name, path, origin, asks, steer, granted, grantedSteer, waits: waitsFor(plugin) !== "" };
}
