import { Command } from "commander";
import type { Host, PluginInfo } from "../../host-types.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, refuseWords, withExamples } from "../help.ts";
import { type HostedOptions, hosted } from "../hosted.ts";
import type { Stdio } from "../stdio.ts";

export function pluginsCommand(run: Run): Command {
  const command = hosted(new Command("plugins"))
    .summary("list the plugins, switch one off or on")
    .description("Lists the plugins that load, with where they come from and what they may do; switches one off or on.")
    .usage("[options] | enable <name> | disable <name>")
    .allowExcessArguments()
    .action((options: HostedOptions, self: Command) => {
      refuseWords(self, self.args);
      return run((cli) => list(options, cli));
    });
  const switched = (name: "enable" | "disable", description: string, says: string) =>
    withExamples(
      new Command(name)
        .description(description)
        .argument("<name>", "the plugin's name")
        .option("--cwd <folder>", "the project's folder")
        .action((plugin: string, options: { cwd?: string }) => run((cli) => setEnabled(plugin, name === "enable", options, cli))),
      [[`plugins ${name} trim-output`, says]],
    );
  command.addCommand(switched("enable", "Switches a plugin on again.", "it loads from the next start"));
  command.addCommand(switched("disable", "Switches a plugin off, and its guards with it.", "it loads no more from the next start"));
  return withExamples(command, [
    ["plugins", "what loads, from where, and with which grants"],
    ["plugins disable trim-output", "it loads no more, and its guards are off too"],
    ["plugins --json", "with what each one registers"],
  ]);
}

async function list(options: HostedOptions, cli: Cli): Promise<number> {
  const { withHost } = await import("../with-host.ts");
  return withHost({ ...options, lenient: true }, cli, async (host) => {
    const plugins = host.plugins();
    const off = host.switchedOff();
    const broken = await unloaded(host);
    if (options.json)
      await cli.stdio.json([
        ...plugins.map(withoutCode),
        ...off.map((plugin) => ({ ...plugin, disabled: "config" })),
        ...broken.map(({ path, code, message }) => ({ name: null, path, failed: { code, message } })),
      ]);
    else await print(plugins, off, broken, cli.stdio);
    return exits.ok;
  });
}

/** Files that are no plugin as they are, and were none before. */
async function unloaded(host: Host): Promise<{ path: string; code: string; message: string }[]> {
  const { problemsOf } = await import("../problems-of.ts");
  const stands = new Set(host.plugins().map(({ name }) => name));
  return problemsOf(host).flatMap(({ severity, path, plugin, code, message }) =>
    severity === "error" && path !== undefined && (plugin === null || !stands.has(plugin)) ? [{ path, code, message }] : [],
  );
}

function withoutCode({ manifest, ...plugin }: PluginInfo) {
  const { layers, judges, redactors, autocmds, slots, tools, commands, rules } = manifest;
  return {
    ...plugin,
    registers: {
      layers,
      judges,
      redactors,
      autocmds,
      slots,
      tools: tools.map(({ name }) => name),
      commands: commands.map(({ name }) => name),
      rules,
    },
  };
}

async function print(
  plugins: readonly PluginInfo[],
  off: ReturnType<Host["switchedOff"]>,
  broken: Awaited<ReturnType<typeof unloaded>>,
  stdio: Stdio,
): Promise<void> {
  const [{ tableOf }, { visible, visibleLine }, { grantsOf, waitsFor }] = await Promise.all([
    import("../table.ts"),
    import("../visible.ts"),
    import("../grants-text.ts"),
  ]);
  const rows = plugins.map((plugin) => [
    stdio.paint("bold", visibleLine(plugin.name)),
    plugin.origin.replace("_", " "),
    stateOf(plugin, waitsFor(plugin) !== "", stdio),
    visibleLine(grantsOf(plugin) === "" ? "nothing granted" : grantsOf(plugin)),
    stdio.paint("dim", visibleLine(plugin.path)),
  ]);
  const offRows = off.map(({ name, path, origin }) => [
    stdio.paint("bold", visibleLine(name)),
    origin.replace("_", " "),
    stdio.paint("yellow", "switched off"),
    "",
    stdio.paint("dim", visibleLine(path)),
  ]);
  const brokenRows = broken.map(({ path }) => ["-", "", stdio.paint("red", "does not load"), "", stdio.paint("dim", visibleLine(path))]);
  if (rows.length + offRows.length === 0) stdio.say("No plugins are loaded.");
  for (const line of tableOf([...rows, ...offRows, ...brokenRows])) await stdio.write(`${line}\n`);
  for (const { message } of broken) stdio.say(`${stdio.paintError("yellow", "mortise:")} ${visible(message)}`);
}

function stateOf(plugin: PluginInfo, waits: boolean, { paint }: Stdio): string {
  if (plugin.disabled !== null) return paint("red", "disabled");
  if (plugin.failed !== null) return paint("red", "failed");
  return waits ? paint("yellow", "waits for a grant") : "loaded";
}

async function setEnabled(name: string, enabled: boolean, { cwd }: { cwd?: string }, cli: Cli): Promise<number> {
  const [{ loadSettings }, { setDisabled }, { folderOf }] = await Promise.all([
    import("../../config/settings.ts"),
    import("../../config/disable-plugin.ts"),
    import("../cwd.ts"),
  ]);
  const { disabled, folders } = await loadSettings({ cwd: await folderOf(cwd) });
  const isDisabled = disabled.user.includes(name);
  if (!isDisabled) await mustKnow(name, disabled.project, cwd, cli);
  if (isDisabled !== enabled) cli.stdio.say(`${name} was ${enabled ? "not disabled" : "disabled already"}.`);
  else {
    await setDisabled(folders, name, !enabled);
    cli.stdio.say(`${name} is ${enabled ? "enabled" : "disabled"} now, in ${folders.config}/config.jsonc.`);
  }
  if (enabled && disabled.project.includes(name)) cli.stdio.say("The project's own config disables it all the same.");
  return exits.ok;
}

/** A misspelt name would leave the plugin as it is. Throws `unknown_plugin` with close names. */
async function mustKnow(name: string, besides: readonly string[], cwd: string | undefined, cli: Cli): Promise<void> {
  const [{ withHost }, { quoteWithClose }, { MortiseError }] = await Promise.all([
    import("../with-host.ts"),
    import("../../close-names.ts"),
    import("../../../sdk/errors.ts"),
  ]);
  const options = { grant: true, plugins: true, ...(cwd === undefined ? {} : { cwd }) };
  const names = await withHost(options, cli, async (host) => [...besides, ...host.plugins().map((plugin) => plugin.name)]);
  if (!names.includes(name)) throw new MortiseError("unknown_plugin", { seen: quoteWithClose(name, names) });
}
