import { join } from "node:path";
import { Command } from "commander";
import type { LogEntry } from "../../host-types.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, withExamples } from "../help.ts";
import type { Style } from "../stdio.ts";

type LogsOptions = { plugin?: string; follow?: true; json?: true };

export function logsCommand(run: Run): Command {
  const command = new Command("logs")
    .summary("show what plugins and the host logged")
    .description("Shows what plugins and the host logged, oldest first.")
    .option("--plugin <name>", "only this plugin")
    .option("--follow", "go on with what is added, until Ctrl-C")
    .option("--json", "print one JSON object a line")
    .action((options: LogsOptions) => run((cli) => logs(options, cli)));
  return withExamples(command, [
    ["logs", "what there is"],
    ["logs --plugin trim-output --follow", "while you try a plugin"],
  ]);
}

async function logs(options: LogsOptions, cli: Cli): Promise<number> {
  const [{ readLogs }, { userFolders }] = await Promise.all([import("../../logs.ts"), import("../../config/folders.ts")]);
  const file = join(userFolders().state, "logs", "mortise.jsonl");
  const wanted = (entries: readonly LogEntry[]) => entries.filter(({ plugin }) => options.plugin === undefined || plugin === options.plugin);
  let seen = 0;
  for (;;) {
    const all = await readLogs(file);
    // A file that was begun anew is shorter.
    if (all.length < seen) seen = 0;
    const entries = wanted(all.slice(seen));
    seen = all.length;
    await print(entries, options, cli);
    if (entries.length === 0 && !options.follow) cli.stdio.say("Nothing was logged.");
    if (!options.follow || cli.stdio.unread() || !(await waited(FOLLOW_MS, cli.aborted))) return exits.ok;
  }
}

/** How often a log that is followed is looked at, in milliseconds. */
const FOLLOW_MS = 250;

async function waited(ms: number, aborted: AbortSignal): Promise<boolean> {
  const { setTimeout } = await import("node:timers/promises");
  return setTimeout(ms, true, { signal: aborted }).catch(() => false);
}

async function print(entries: readonly LogEntry[], options: LogsOptions, { stdio }: Cli): Promise<void> {
  const { visible } = await import("../visible.ts");
  for (const entry of entries) {
    if (options.json) await stdio.write(`${JSON.stringify(entry)}\n`);
    else {
      const head = `${stdio.paint("dim", entry.at)} ${stdio.paint(styles[entry.level], entry.level.padEnd(5))} ${visible(entry.plugin ?? "mortise")}`;
      await stdio.write(`${head}  ${visible(entry.text).replaceAll("\n", "\n    ")}\n`);
    }
  }
}

const styles: Readonly<Record<LogEntry["level"], Style>> = { debug: "dim", info: "reset", warn: "yellow", error: "red" };
