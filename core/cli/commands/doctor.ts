import { Command } from "commander";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, withExamples } from "../help.ts";
import { type HostedOptions, hosted } from "../hosted.ts";

export function doctorCommand(run: Run): Command {
  const command = hosted(new Command("doctor"))
    .summary("say what is wrong, and how to mend it")
    .description("Checks what Mortise stands on and what you have set up, and says how to mend what is wrong. Exits 1 when something is broken.")
    .action((options: HostedOptions) => run((cli) => doctor(options, cli)));
  return withExamples(command, [
    ["doctor", "Node, isolates, settings, trust, folders and plugins"],
    ["doctor --plugin my-plugin.ts", "with a plugin you are writing"],
    ["doctor --json", "for a program"],
  ]);
}

async function doctor(options: HostedOptions, cli: Cli): Promise<number> {
  const [{ runChecks }, { visible }] = await Promise.all([import("../checks.ts"), import("../visible.ts")]);
  const findings = await runChecks(options, cli);
  const broken = findings.some(({ state }) => state === "error");
  const { stdio } = cli;
  if (options.json) await stdio.json({ ok: !broken, findings });
  else {
    const marks = { ok: stdio.paint("green", "ok     "), warning: stdio.paint("yellow", "warning"), error: stdio.paint("red", "error  ") };
    for (const { state, check, plugin, message, fix } of findings) {
      const about = plugin === undefined ? check : `${check} ${plugin}`;
      await stdio.write(`${marks[state]}  ${visible(about)}: ${visible(message)}\n`);
      if (fix !== undefined) await stdio.write(`         ${stdio.paint("dim", visible(fix))}\n`);
    }
  }
  return broken ? exits.failed : exits.ok;
}
