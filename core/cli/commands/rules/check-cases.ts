import { Command } from "commander";
import type { Miss } from "../../../rule-cases/bash-cases.ts";
import type { Cli } from "../../cli.ts";
import { exits } from "../../exits.ts";
import { type Run, withExamples } from "../../help.ts";

export function checkCasesCommand(run: Run): Command {
  const command = new Command("check-cases")
    .summary("check what is said of bash commands against the engine")
    .description(
      "Checks what is said of bash commands against the permission engine: the commands they run, and what rules must make of them. No rules of yours count. A case's `setup` runs in a scratch folder, nothing else does. Exits with 1 where anything failed.",
    )
    .argument("<files...>", "files with one case a line, as JSON")
    .option("--json", "print JSON")
    .action((files: string[], options: { json?: true }) => run((cli) => checkCases(files, options, cli)));
  return withExamples(command, [["rules check-cases cases.jsonl", "each miss, counts per field, and how many cases passed and failed"]]);
}

async function checkCases(files: readonly string[], { json }: { json?: true }, { stdio }: Cli): Promise<number> {
  const [{ BashCase, checkBashCases, fields }, { readCases }, { tableOf }, { shortened, visibleLine }] = await Promise.all([
    import("../../../rule-cases/bash-cases.ts"),
    import("../../../rule-cases/read-cases.ts"),
    import("../../table.ts"),
    import("../../visible.ts"),
  ]);
  const cases = (await Promise.all(files.map((file) => readCases(file, BashCase)))).flat().map(({ value }) => value);
  for (const key of unknownKeys(cases, fields)) stdio.say(`${stdio.paintError("yellow", "mortise:")} ${visibleLine(key)} of a case is not checked`);
  const shown = ({ id, field, command, text }: Miss) =>
    `${visibleLine(id)} ${field}: ${visibleLine(shortened(command, 120))} ${visibleLine(shortened(text, 300))}\n`;
  const tally = await checkBashCases(cases);
  if (json) await stdio.json(tally);
  else {
    for (const miss of tally.misses) await stdio.write(shown(miss));
    for (const line of tableOf(fields.map((field) => [field, `${tally.fields[field].held} of ${tally.fields[field].of}`])))
      await stdio.write(`${line}\n`);
    await stdio.write(`${tally.passed} passed, ${tally.failed} failed\n`);
  }
  return tally.failed === 0 ? exits.ok : exits.failed;
}

/** A misspelt expectation would hold without a word. */
function unknownKeys(cases: readonly { expect: object }[], fields: readonly string[]): string[] {
  const known = [...fields, "prompt_is_enough", "note"];
  return [...new Set(cases.flatMap(({ expect }) => Object.keys(expect)))].filter((key) => !known.includes(key)).map((key) => JSON.stringify(key));
}
