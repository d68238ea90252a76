import { Argument, Command, Option } from "commander";
import type { Agent, ImportResult } from "../../../imported-rules/import-rules.ts";
import type { ImportedRule } from "../../../imported-rules/imported.ts";
import type { Cli } from "../../cli.ts";
import { exits } from "../../exits.ts";
import { type Run, withExamples } from "../../help.ts";

type Layer = "user" | "project";
type ImportOptions = { write?: Layer; cwd?: string; json?: true };

export function importCommand(run: Run): Command {
  const command = new Command("import")
    .summary("read the permission rules of another agent")
    .description(
      "Reads the permission files of another agent, of the user and of the project, or one that is named. Prints the rules that are the same here, and what has no equal and why. Nothing that was not allowed there becomes allowed.",
    )
    .addArgument(new Argument("<agent>", "whose rules they are").choices(["claude", "codex", "gemini", "opencode"]))
    .argument("[file]", "one file, instead of those that the agent reads")
    .addOption(new Option("--write <layer>", "add them to your own permissions.jsonc, or to the project's").choices(["user", "project"]))
    .option("--cwd <folder>", "the project's folder")
    .option("--json", "print JSON")
    .action((agent: Agent, file: string | undefined, options: ImportOptions) => run((cli) => importFrom(agent, file, options, cli)));
  return withExamples(command, [
    ["rules import claude", "what its rules are here; nothing is written"],
    ["rules import codex ~/.codex/rules/default.rules --write user", "adds the rules of one file to your own"],
    ["rules import opencode --write project", "adds those of the project's files to the project's"],
  ]);
}

async function importFrom(agent: Agent, file: string | undefined, options: ImportOptions, cli: Cli): Promise<number> {
  const [{ importRules }, { projectOf }, { folderOf }] = await Promise.all([
    import("../../../imported-rules/import-rules.ts"),
    import("../../../config/folders.ts"),
    import("../../cwd.ts"),
  ]);
  const project = await projectOf(await folderOf(options.cwd));
  const result = await importRules(agent, { root: project.root, ...(file === undefined ? {} : { file }) });
  const layer = options.write;
  const written = layer === undefined ? [] : inOrder(result.rules.filter((rule) => fits(rule, layer, file !== undefined)));
  if (layer !== undefined) await write(written, layer, options);
  await (options.json ? cli.stdio.json({ agent, ...result, written }) : print(agent, result, written, options, cli));
  return result.found.length === 0 ? exits.failed : exits.ok;
}

/** What a project allows is not allowed everywhere. */
function fits({ rule, layer: own }: ImportedRule, layer: Layer, named: boolean): boolean {
  return own === layer || (named && (layer === "project" || rule.effect !== "allow"));
}

/** What denies comes first: where writing ends in the middle, nothing is allowed that a later rule would have denied. */
function inOrder(rules: readonly ImportedRule[]): ImportedRule[] {
  return ["deny", "ask", "allow"].flatMap((effect) => rules.filter(({ rule }) => rule.effect === effect));
}

async function write(rules: readonly ImportedRule[], layer: Layer, { cwd }: ImportOptions): Promise<void> {
  const [{ addRules }, { projectOf, userFolders }, { folderOf }] = await Promise.all([
    import("../../../config/add-rule.ts"),
    import("../../../config/folders.ts"),
    import("../../cwd.ts"),
  ]);
  const where = { folders: userFolders(), project: await projectOf(await folderOf(cwd)) };
  const added = rules.map(({ rule }) => rule);
  // A project that is not trusted takes what denies all the same.
  const denies = added.filter(({ effect }) => effect === "deny");
  if (denies.length > 0) await addRules(where, layer, denies);
  if (denies.length < added.length)
    await addRules(
      where,
      layer,
      added.filter(({ effect }) => effect !== "deny"),
    );
}

async function print(
  agent: Agent,
  result: ImportResult,
  written: readonly ImportedRule[],
  { write: layer }: ImportOptions,
  { stdio }: Cli,
): Promise<void> {
  const [{ tableOf }, { shortened, visibleLine }, { ruleLine }] = await Promise.all([
    import("../../table.ts"),
    import("../../visible.ts"),
    import("../../../permission/denial.ts"),
  ]);
  if (result.found.length === 0) {
    stdio.say(`No permission files of ${agent} were found.`);
    return;
  }
  for (const { path } of result.found) {
    const rules = result.rules.filter(({ from }) => from.startsWith(`${path}:`));
    const without = result.without.filter(({ from }) => from.startsWith(`${path}:`));
    await stdio.write(`${stdio.paint("bold", visibleLine(path))}\n`);
    if (rules.length + without.length === 0) await stdio.write("  nothing about permissions\n");
    for (const line of tableOf(rules.map(({ rule, was }) => [`  ${ruleLine(rule)}`, stdio.paint("dim", visibleLine(shortened(was, 100)))]))) {
      await stdio.write(`${line}\n`);
    }
    for (const { from, was, why } of without) {
      const place = from.slice(path.length + 1);
      await stdio.write(`  ${stdio.paint("yellow", "no equal")} ${place}: ${visibleLine(shortened(was, 100))}: ${visibleLine(why)}\n`);
    }
  }
  if (layer === undefined)
    stdio.say(`${count(result.rules.length)}, ${result.without.length} without an equal. --write user or --write project adds them.`);
  else {
    const rest = result.rules.length - written.length;
    stdio.say(
      `${count(written.length)} written${rest === 0 ? "" : `, ${rest} not: they are ${layer === "user" ? "a project's" : "your own"}`}, ${result.without.length} without an equal.`,
    );
  }
}

function count(rules: number): string {
  return `${rules} ${rules === 1 ? "rule" : "rules"}`;
}
