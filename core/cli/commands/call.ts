import { Command, InvalidArgumentError, Option } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import { withoutBytes } from "../../images.ts";
import type { CallRecord } from "../../record.ts";
import type { Cli } from "../cli.ts";
import { exitOfRecord, exits } from "../exits.ts";
import { type Run, withExamples } from "../help.ts";
import { type HostedOptions, hosted } from "../hosted.ts";

export type CallOptions = HostedOptions & { trace?: true; yolo?: true; answer?: "allow" | "deny"; timeout?: number; full?: true };

export function callCommand(run: Run): Command {
  const command = hosted(new Command("call"), { json: "print what happened as one JSON object" })
    .summary("call one tool through the whole host")
    .description("Calls one tool through the whole host: layers, schema, judges, permission, the tool itself, redaction.")
    .argument("<tool>", "a name that `mortise tools` lists")
    .argument("[json]", "its input, a JSON object; - reads it from standard input")
    .option("--trace", "show what each layer did and how long it took")
    .option("--yolo", "allow what no rule decides")
    .addOption(new Option("--answer <answer>", "answer permission prompts instead of asking").choices(["allow", "deny"]))
    .option("--timeout <seconds>", "end the call after so many seconds", seconds)
    .option("--full", "print the whole text, not the part that fits a model")
    .action((tool: string, json: string | undefined, options: CallOptions) => run((cli) => call(tool, json, options, cli)));
  return withExamples(command, [
    [`call bash '{"command":"ls -la"}'`, "asks before it runs, on a terminal"],
    [`call bash '{"command":"git push --force"}' --plugin no-force-push.ts --trace`, "tries a plugin, and shows what it did"],
    ["call read - --json < input.json", "for a program: one JSON object on standard output"],
  ]);
}

async function call(tool: string, json: string | undefined, options: CallOptions, cli: Cli): Promise<number> {
  const input = await readInput(json, cli.aborted);
  const { startAhead } = await import("../../isolate/start-ahead.ts");
  startAhead();
  const { withHost } = await import("../with-host.ts");
  return withHost({ ...options, asks: true, warm: true }, cli, async (host) => {
    const record = await host.call({
      tool,
      input,
      outputMode: options.full ? "full" : "compact",
      signal: cli.aborted,
      ...(cli.stdio.showsLive ? { onOutput: cli.stdio.live } : {}),
      ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1_000 }),
    });
    await (options.json ? cli.stdio.json(inOrder(record)) : print(record, options, cli));
    return exitOfRecord(record);
  });
}

async function print(record: CallRecord, options: CallOptions, { stdio }: Cli): Promise<void> {
  const [{ accountOf }, { traceLines }, { harmless, visible }] = await Promise.all([
    import("../account.ts"),
    import("../trace-lines.ts"),
    import("../visible.ts"),
  ]);
  if (exitOfRecord(record) === exits.usage) stdio.say(`${stdio.paintError("red", "mortise:")} ${visible(record.text)}`);
  else if (record.text !== "")
    await stdio.write(endLine(stdio.outputIsTerminal ? (isRefusal(record) ? visible : harmless)(record.text) : record.text));
  const lines = accountOf(record, stdio.paintError);
  for (const line of options.trace ? [...lines, ...traceLines(record.trace, stdio.paintError)] : lines) stdio.say(line);
}

/** What a person decides by, in words that others chose: no colours, nothing hidden. */
function isRefusal({ ran, isError }: CallRecord): boolean {
  return isError && !ran;
}

/** What readers look for comes first. */
function inOrder(record: CallRecord): object {
  const { tool, ran, input, text, isError, stopped, permission, trace, durationMs, ...rest } = withoutBytes(record);
  return { tool, ran, input, text, isError, stopped, permission, trace, durationMs, ...rest };
}

function endLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Nothing about it is believed but that it is JSON: the host checks the rest. Throws `usage`. */
async function readInput(json: string | undefined, aborted: AbortSignal): Promise<unknown> {
  if (json === undefined) return {};
  const text = json === "-" ? await readStandardInput(aborted) : json;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MortiseError("usage", { seen: `the input is no JSON: ${why}`, cause });
  }
}

async function readStandardInput(aborted: AbortSignal): Promise<string> {
  const { text } = await import("node:stream/consumers");
  const { addAbortSignal } = await import("node:stream");
  return (await text(addAbortSignal(aborted, process.stdin))).replace(/^\ufeff/, "");
}

function seconds(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number <= 86_400)) throw new InvalidArgumentError("It is a number of seconds, above 0 and at most 86400.");
  return number;
}
