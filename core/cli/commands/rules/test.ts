import { Command } from "commander";
import { MortiseError } from "../../../../sdk/errors.ts";
import type { Cli } from "../../cli.ts";
import { exits } from "../../exits.ts";
import { type Run, withExamples } from "../../help.ts";
import { type HostedOptions, hosted } from "../../hosted.ts";

export function testCommand(run: Run): Command {
  const command = hosted(new Command("test"))
    .summary("check that your rules say what you expect of them")
    .description(
      'Checks your rules, those of the project and of plugins against a file of cases, one JSON object a line: { "command": "git push", "expect": "deny" }. `expect` is allow, ask or deny; `by` may name what has to decide it: a rule\'s pattern, a layer as "project", or a source as "default" or "protected". In place of `command`, a case may give `tool` and `input`. Nothing runs. Exits with 1 where a case failed.',
    )
    .argument("<file>", "the cases")
    .action((file: string, options: HostedOptions) => run((cli) => test(file, options, cli)));
  return withExamples(command, [
    ["rules test team-policy.jsonl", "in CI, beside the team's permissions.jsonc"],
    ["rules test team-policy.jsonl --json", "for a program"],
  ]);
}

type Failure = { line: number; case: unknown; text: string };

async function test(file: string, options: HostedOptions, cli: Cli): Promise<number> {
  const [{ TeamCase, faultOf }, { readCases }, { withHost }, { resolve }] = await Promise.all([
    import("../../../rule-cases/team-cases.ts"),
    import("../../../rule-cases/read-cases.ts"),
    import("../../with-host.ts"),
    import("node:path"),
  ]);
  const cases = await readCases(file, TeamCase);
  return withHost({ ...options, warm: true }, cli, async (host) => {
    const failures: Failure[] = [];
    for (const { line, value } of cases) {
      const { tool, input } = "command" in value ? { tool: "bash", input: { command: value.command } } : value;
      const cwd = resolve(host.cwd, value.cwd ?? ".");
      const explanation = await host
        .explain({ tool, input, cwd, ...(value.yolo === undefined ? {} : { yolo: value.yolo }) })
        .catch((cause: unknown) => {
          if (!(cause instanceof MortiseError)) throw cause;
          throw new MortiseError(cause.code, { seen: `${file}:${line}: ${cause.seen}`, cause });
        });
      const text = faultOf(value, explanation);
      if (text !== undefined) failures.push({ line, case: value, text });
    }
    const tally = { passed: cases.length - failures.length, failed: failures.length, failures };
    await (options.json ? cli.stdio.json(tally) : print(file, tally, cli));
    return failures.length === 0 ? exits.ok : exits.failed;
  });
}

async function print(file: string, tally: { passed: number; failed: number; failures: readonly Failure[] }, { stdio }: Cli): Promise<void> {
  const { shortened, visibleLine } = await import("../../visible.ts");
  for (const { line, case: value, text } of tally.failures) {
    await stdio.write(`${visibleLine(file)}:${line}: ${visibleLine(shortened(JSON.stringify(value), 200))} ${visibleLine(shortened(text, 300))}\n`);
  }
  await stdio.write(`${tally.passed} passed, ${tally.failed} failed\n`);
}
