import { Command } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import type { ProviderInfo } from "../../models/list-providers.ts";
import type { LocalServer } from "../../models/providers/local-servers.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, withExamples } from "../help.ts";
import { visibleLine } from "../visible.ts";

type ModelsOptions = { local?: true; cwd?: string; json?: true };

export function modelsCommand(run: Run): Command {
  const command = new Command("models")
    .summary("list providers of models, and which have a key")
    .description("Lists the providers of models, which of them have a key, or the models that are known of one. Keys are never shown.")
    .argument("[provider]", "list the models that are known of this one")
    .option("--local", "look for model servers on this machine, at the usual ports and those of the config")
    .option("--cwd <folder>", "the project's folder")
    .option("--json", "print JSON")
    .action((provider: string | undefined, options: ModelsOptions) => run((cli) => models(provider, options, cli)));
  return withExamples(command, [
    ["models", "providers, and where their keys are"],
    ["models anthropic", "its models, with tiers, sizes and prices"],
    ["models --local", "what runs on this machine, as --model takes it"],
  ]);
}

async function models(name: string | undefined, { local, cwd, json }: ModelsOptions, cli: Cli): Promise<number> {
  const [{ loadSettings }, { folderOf }, { listProviders, tierModels }, { defaultModel }] = await Promise.all([
    import("../../config/settings.ts"),
    import("../cwd.ts"),
    import("../../models/list-providers.ts"),
    import("../../models/open-model.ts"),
  ]);
  const settings = await loadSettings({ cwd: await folderOf(cwd) });
  const all = listProviders(settings);
  const providers = name === undefined ? all : all.filter((each) => each.name === name);
  if (name !== undefined && providers.length === 0) throw new MortiseError("unknown_model", { seen: await close(name, all) });
  const servers = local ? await find(settings.models, name) : undefined;
  if (json) {
    const found = servers === undefined ? {} : { local: servers };
    await cli.stdio.json({ default: defaultModel(settings), tiers: tierModels(settings), providers, ...found });
  } else if (servers !== undefined) await printServers(servers, cli);
  else if (name !== undefined) await printModels(providers, cli);
  else await printProviders(providers, defaultModel(settings), cli);
  return exits.ok;
}

async function find(config: Parameters<typeof import("../../models/providers/local-servers.ts").localPorts>[0], name: string | undefined) {
  const { findLocalServers, localPorts } = await import("../../models/providers/local-servers.ts");
  const ports = Object.entries(localPorts(config)).filter(([provider]) => name === undefined || provider === name);
  return findLocalServers(Object.fromEntries(ports));
}

async function close(name: string, all: readonly ProviderInfo[]): Promise<string> {
  const { quoteWithClose } = await import("../../close-names.ts");
  const names = all.map((each) => each.name);
  return `no provider is called ${quoteWithClose(name, names)}`;
}

async function printProviders(providers: readonly ProviderInfo[], standard: string, cli: Cli): Promise<void> {
  const { stdio } = cli;
  const rows = providers.map((each) => [
    stdio.paint("bold", each.name),
    each.ready ? stdio.paint("green", stateOf(each)) : stdio.paint("yellow", stateOf(each)),
    each.key.from ?? (each.key.needed ? each.key.variables.join(" or ") : ""),
    stdio.paint("dim", visibleLine(each.url ?? "")),
  ]);
  await print([...rows, [stdio.paint("bold", "default"), "", "", visibleLine(standard)]], cli);
}

function stateOf({ key, missing, isLocal, ready }: ProviderInfo): string {
  if (missing !== null) return `needs ${missing}`;
  if (key.count > 0 && !ready) return "no key for an unencrypted address";
  if (key.count > 0) return key.count === 1 ? "1 key" : `${key.count} keys`;
  if (key.needed) return "no key";
  return isLocal ? "this machine" : "no key needed";
}

async function printModels(providers: readonly ProviderInfo[], cli: Cli): Promise<void> {
  const rows = providers.flatMap(({ models }) =>
    models.map(({ id, tier, contextWindow, maxOutput, price }) => [
      cli.stdio.paint("bold", visibleLine(id)),
      tier,
      `${contextWindow} tokens`,
      `answers ${maxOutput}`,
      price === null ? "no price" : `$${price.input} in, $${price.output} out`,
    ]),
  );
  if (rows.length === 0) cli.stdio.say("No models of it are known; any name that the provider takes will do.");
  await print(rows, cli);
}

async function printServers(servers: readonly LocalServer[], cli: Cli): Promise<void> {
  const rows = servers.flatMap(({ provider, url, models }) =>
    models.map(({ name, contextWindow }) => [
      // The name is a server's word.
      cli.stdio.paint("bold", visibleLine(`${provider}/${name}`)),
      contextWindow === null ? "" : `${contextWindow} tokens`,
      cli.stdio.paint("dim", url),
    ]),
  );
  if (rows.length === 0) cli.stdio.say("No model server answers on this machine, at the usual ports and those of the config.");
  await print(rows, cli);
}

async function print(rows: readonly (readonly string[])[], cli: Cli): Promise<void> {
  const { tableOf } = await import("../table.ts");
  for (const line of tableOf(rows)) await cli.stdio.write(`${line}\n`);
}
