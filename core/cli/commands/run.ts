import { Command, InvalidArgumentError, Option } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import type { RunLimits } from "../../agent/backend.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import type { Mode } from "../headless/sdk/modes.ts";
import { type Run, withExamples } from "../help.ts";
import { visible } from "../visible.ts";

export type RunOptions = {
  output: "text" | "json" | "stream-json";
  input: "text" | "stream-json";
  verbose?: true;
  includePartialMessages?: true;
  image?: string[];
  model?: string;
  continue?: true;
  session?: string;
  sessionId?: string;
  forkSession?: true;
  maxTurns?: number;
  maxCost?: number;
  timeout?: number;
  yolo?: true;
  permissionMode?: string;
  exitZeroOnDenial?: true;
  plugin?: string[];
  grant: boolean;
  plugins: boolean;
  cwd?: string;
};

export function runCommand(run: Run): Command {
  const command = new Command("run")
    .summary("let an agent work on a prompt, without a person")
    .description("Lets an agent work on a prompt and prints its answer. Nobody is asked: what no rule allows is denied.")
    .argument("[prompt]", "what it is to do; what is piped in comes after it, or is the prompt")
    .addOption(new Option("--output <format>", "what is printed").choices(["text", "json", "stream-json"]).default("text"))
    .addOption(
      new Option("--input <format>", "what standard input is: stream-json speaks with a program").choices(["text", "stream-json"]).default("text"),
    )
    .option("--verbose", "with --output json: print all lines as one array")
    .option("--include-partial-messages", "with --output stream-json: print text and output as they grow")
    .option("--image <file>", "show an image too (repeatable)", collected)
    .option("-m, --model <provider/name>", "the model, instead of the config's")
    .option("-c, --continue", "go on with the last session of this folder")
    .option("-s, --session <id>", "go on with this session")
    .option("--fork-session", "go on in a copy of it")
    .option("--session-id <id>", "keep the session under this id, which must be free")
    .option("--max-turns <n>", "end the run after so many answers of the model", whole)
    .option("--max-cost <usd>", "end the run once it cost so much", positive)
    .option("--timeout <seconds>", "end the run after so many seconds", seconds)
    .option("--yolo", "allow what no rule decides")
    .option("--permission-mode <mode>", "with --input stream-json: default, acceptEdits or bypassPermissions")
    .option("--exit-zero-on-denial", "exit with 0 also where a call was denied")
    .option("--plugin <file>", "load this plugin too, with what it asks for (repeatable)", collected)
    .option("--no-grant", "do not grant the --plugin files what they ask for")
    .option("--no-plugins", "load no plugins but the built-in ones and the --plugin files")
    .option("--cwd <folder>", "the project's folder, where tools run")
    .action((prompt: string | undefined, options: RunOptions) => run((cli) => start(prompt, options, cli)));
  return withExamples(command, [
    [`run "how many TypeScript files are here?"`, "prints the answer; needs no key unless a model is set up"],
    [`run "what changed?" --output json < changes.diff`, "one JSON object on standard output, whatever happens"],
    [`run "and the tests?" --continue`, "goes on with the last session of this folder"],
  ]);
}

async function start(prompt: string | undefined, options: RunOptions, cli: Cli): Promise<number> {
  const [{ consoleToStandardError }, { beginInTime }, { systemClock }] = await Promise.all([
    import("../headless/console-to-stderr.ts"),
    import("../headless/begin-in-time.ts"),
    import("../../agent/clock.ts"),
  ]);
  consoleToStandardError();
  checkTogether(prompt, options);
  let exit: number | undefined;
  try {
    const drive = options.input === "stream-json" ? speak : ask;
    const ended = (code: number) => {
      exit = code;
    };
    const { timeoutMs } = limitsOf(options);
    await beginInTime((begun) => drive(prompt, options, cli, begun, ended), { aborted: cli.aborted, timeoutMs, clock: systemClock });
  } catch (error) {
    if (exit === undefined) throw error;
    // The run has told how it ended already.
    cli.stdio.say(visible(`mortise: ${error instanceof Error ? error.message : String(error)}`));
  }
  return exit ?? exits.failed;
}

type Drive = (
  prompt: string | undefined,
  options: RunOptions,
  cli: Cli,
  /** From here on the run tells how it ends. */
  begun: () => void,
  ended: (exit: number) => void,
) => Promise<void>;

/** One prompt, one result. */
const ask: Drive = async (prompt, options, cli, begun, ended) => {
  const [{ readPrompt }, { readImages }] = await Promise.all([import("../headless/read-prompt.ts"), import("../headless/read-images.ts")]);
  const images = await readImages(options.image ?? []);
  const text = await readPrompt({ prompt, stdin: process.stdin, aborted: cli.aborted, say: cli.stdio.say });
  const [{ withAgent }, { runOnce }, { systemClock }] = await Promise.all([
    import("../headless/with-agent.ts"),
    import("../headless/run-once.ts"),
    import("../../agent/clock.ts"),
  ]);
  await withAgent(options, {}, cli, async (opened) => {
    begun();
    const { output, verbose = false, includePartialMessages: partial = false, exitZeroOnDenial = false } = options;
    const how = { output, verbose, partial, exitZeroOnDenial, limits: limitsOf(options), clock: systemClock };
    ended(await runOnce(opened, { text, images, source: "headless" }, how, cli));
  });
};

/** A program that speaks the SDK protocol. */
const speak: Drive = async (_prompt, options, cli, begun, ended) => {
  const [{ withAgent }, { serve }, { createAsks }, { createOutbox }, { createSink }, { sdkNames }, { systemClock }] = await Promise.all([
    import("../headless/with-agent.ts"),
    import("../headless/sdk/serve.ts"),
    import("../headless/sdk/asks.ts"),
    import("../headless/sdk/outbox.ts"),
    import("../headless/sink.ts"),
    import("../headless/tool-names.ts"),
    import("../../agent/clock.ts"),
  ]);
  const asks = createAsks(await modeFor(options, cli), sdkNames);
  const permits = { ask: asks.ask, isYolo: () => asks.mode() === "bypassPermissions" };
  await withAgent(options, permits, cli, async (opened) => {
    begun();
    const { includePartialMessages: partial = false, exitZeroOnDenial = false } = options;
    const how = { partial, exitZeroOnDenial, limits: limitsOf(options), clock: systemClock, input: process.stdin };
    ended(await serve(opened, { ...how, asks, outbox: createOutbox(createSink(cli.stdio)) }, cli));
  });
};

/** The mode that is named beats `--yolo`. Throws `usage` for one that would promise more than is kept here. */
async function modeFor({ permissionMode, yolo }: RunOptions, cli: Cli): Promise<Mode> {
  const { modeOf } = await import("../headless/sdk/modes.ts");
  if (permissionMode === undefined) return yolo ? "bypassPermissions" : "default";
  if (permissionMode === "plan") throw new MortiseError("usage", { seen: "there is no permission mode plan, in which nothing may be changed" });
  const mode = modeOf(permissionMode);
  if (mode === undefined) cli.stdio.say(visible(`mortise: There is no permission mode ${JSON.stringify(permissionMode)}, so it is default.`));
  return mode ?? "default";
}

function checkTogether(
  prompt: string | undefined,
  { input, output, permissionMode, image, continue: goesOn, session, forkSession }: RunOptions,
): void {
  const refuse = (seen: string) => {
    throw new MortiseError("usage", { seen });
  };
  if (goesOn && session !== undefined) refuse("--continue and --session name two sessions");
  if (forkSession && !goesOn && session === undefined) refuse("--fork-session needs --session or --continue");
  if (input === "text") {
    if (permissionMode !== undefined) refuse("--permission-mode needs --input stream-json");
    return;
  }
  if (output !== "stream-json") refuse("--input stream-json needs --output stream-json");
  if (prompt !== undefined || image !== undefined) refuse("with --input stream-json prompts and images come on standard input");
  if (process.stdin.isTTY) refuse("--input stream-json reads no terminal");
}

/** Milliseconds, and what is not said is the agent's own. */
function limitsOf({ maxTurns, maxCost, timeout }: RunOptions): Partial<RunLimits> {
  return {
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxCost === undefined ? {} : { maxCostUsd: maxCost }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
  };
}

function collected(value: string, values: readonly string[] = []): string[] {
  if (value === "") throw new InvalidArgumentError("It is a path.");
  return [...values, value];
}

function whole(value: string): number {
  if (!/^[1-9]\d{0,6}$/.test(value)) throw new InvalidArgumentError("It is a whole number, at least 1.");
  return Number(value);
}

function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number <= 1_000_000)) throw new InvalidArgumentError("It is a number of US dollars, above 0.");
  return number;
}

function seconds(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number <= 86_400)) throw new InvalidArgumentError("It is a number of seconds, above 0 and at most 86400.");
  return number;
}
