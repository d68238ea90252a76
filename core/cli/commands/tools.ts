import { Command } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import type { ToolInfo } from "../../host-types.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import { type Run, withExamples } from "../help.ts";
import { type HostedOptions, hosted } from "../hosted.ts";

export function toolsCommand(run: Run): Command {
  const command = hosted(new Command("tools"))
    .summary("list the tools a model can call")
    .description("Lists the tools a model can call, or shows one with its input.")
    .argument("[tool]", "show this one whole")
    .action((tool: string | undefined, options: HostedOptions) => run((cli) => tools(tool, options, cli)));
  return withExamples(command, [
    ["tools", "names, and what they do"],
    ["tools bash", "the fields of its input"],
    ["tools --json", "with their JSON Schemas"],
  ]);
}

async function tools(name: string | undefined, options: HostedOptions, cli: Cli): Promise<number> {
  const { withHost } = await import("../with-host.ts");
  return withHost(options, cli, async (host) => {
    // What tools say anew for each request costs a start of theirs.
    const all = name === undefined && !options.json ? host.tools() : await host.definitions();
    if (name === undefined) await (options.json ? cli.stdio.json(all) : printAll(all, cli));
    else {
      const tool = all.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new MortiseError("unknown_tool", { seen: await close(name, all) });
      await (options.json ? cli.stdio.json(tool) : printOne(tool, cli));
    }
    return exits.ok;
  });
}

async function close(name: string, all: readonly ToolInfo[]): Promise<string> {
  const { quoteWithClose } = await import("../../close-names.ts");
  return quoteWithClose(
    name,
    all.map((tool) => tool.name),
  );
}

async function printAll(all: readonly ToolInfo[], { stdio }: Cli): Promise<void> {
  const { tableOf } = await import("../table.ts");
  const { visibleLine } = await import("../visible.ts");
  const rows = all.map((tool) => [stdio.paint("bold", tool.name), stdio.paint("dim", tool.plugin), visibleLine(beginning(tool.description))]);
  for (const line of tableOf(rows)) await stdio.write(`${line}\n`);
}

async function printOne(tool: ToolInfo, { stdio }: Cli): Promise<void> {
  const { visible } = await import("../visible.ts");
  const facts = [
    `plugin ${tool.plugin}`,
    `a layer costs ${tool.capability ?? "all five capabilities"}`,
    `ends after ${tool.timeoutMs / 1_000} s`,
    `for ${tool.audiences.join(", ")}`,
  ];
  await stdio.write(`${stdio.paint("bold", tool.name)}  ${stdio.paint("dim", facts.join(" · "))}\n${visible(tool.description)}\n\n`);
  await stdio.write(`${visible(JSON.stringify(tool.inputSchema, null, 2))}\n`);
}

/** A table has room for the first sentence of it. */
function beginning(text: string): string {
  const [sentence = ""] = text.trimStart().split(/(?<=\.)\s|\n/, 1);
  return sentence.length <= 100 ? sentence : `${sentence.slice(0, 99).toWellFormed()}…`;
}
