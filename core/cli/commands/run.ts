import { Command } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Cli } from "../cli.ts";
import { exits } from "../exits.ts";
import type { Mode } from "../headless/sdk/modes.ts";
import { type Run, withExamples } from "../help.ts";
import { visible } from "../visible.ts";
import { checkTogether, limitsOf, type RunOptions, runOptions, timersOf } from "./run-options.ts";

export function runCommand(run: Run): Command {
  const command = new Command("run")
    .summary("let an agent work on a prompt, without a person")
    .description("Lets an agent work on a prompt and prints its answer. Nobody is asked: what no rule allows is denied.")
    .argument("[prompt]", "what it is to do; what is piped in comes after it, or is the prompt");
  runOptions(command).action((prompt: string | undefined, options: RunOptions) => run((cli) => start(prompt, options, cli)));
  return withExamples(command, [
    [`run "how many TypeScript files are here?"`, "prints the answer; needs no key unless a model is set up"],
    [`run "what changed?" --output json < changes.diff`, "one JSON object on standard output, whatever happens"],
    [`run "and the tests?" --continue`, "goes on with the last session of this folder"],
  ]);
}

async function start(prompt: string | undefined, options: RunOptions, cli: Cli): Promise<number> {
  if (prompt === undefined && process.stdin.isTTY && options.input === "text") return talk(options, cli);
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

/** Without a prompt whoever is at the terminal is asked for one. */
async function talk(options: RunOptions, cli: Cli): Promise<number> {
  checkTogether(undefined, options);
  const [{ isOnTerminal, startChat }, { readInstructions }] = await Promise.all([
    import("../chat/start-chat.ts"),
    import("../headless/instructions.ts"),
  ]);
  if (options.output !== "text" || options.image !== undefined || !isOnTerminal())
    throw new MortiseError("usage", { seen: "there is no prompt; `mortise` alone opens a chat, on a terminal" });
  const instructions = await readInstructions(options);
  return startChat({ ...options, timers: timersOf(options), limits: limitsOf(options), instructions }, cli);
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
  const [{ withAgent }, { runOnce }, { systemClock }, { readInstructions }] = await Promise.all([
    import("../headless/with-agent.ts"),
    import("../headless/run-once.ts"),
    import("../../agent/clock.ts"),
    import("../headless/instructions.ts"),
  ]);
  const instructions = await readInstructions(options);
  await withAgent({ ...options, timers: timersOf(options) }, { instructions }, cli, async (opened) => {
    begun();
    const { output, verbose = false, includePartialMessages: partial = false, exitZeroOnDenial = false } = options;
    const how = { output, verbose, partial, exitZeroOnDenial, limits: limitsOf(options), clock: systemClock };
    ended(await runOnce(opened, { text, images, source: "headless" }, how, cli));
  });
};

/** A program that speaks the SDK protocol. */
const speak: Drive = async (_prompt, options, cli, begun, ended) => {
  const [{ withAgent }, { serve }, { createAsks }, { createOutbox }, { createSink }, { sdkNames }, { systemClock }, { readInstructions }] =
    await Promise.all([
      import("../headless/with-agent.ts"),
      import("../headless/sdk/serve.ts"),
      import("../headless/sdk/asks.ts"),
      import("../headless/sdk/outbox.ts"),
      import("../headless/sink.ts"),
      import("../headless/tool-names.ts"),
      import("../../agent/clock.ts"),
      import("../headless/instructions.ts"),
    ]);
  const instructions = await readInstructions(options);
  const asks = createAsks(await modeFor(options, cli), sdkNames);
  const permits = { ask: asks.ask, isYolo: () => asks.mode() === "bypassPermissions", instructions };
  await withAgent({ ...options, timers: timersOf(options) }, permits, cli, async (opened) => {
    begun();
    const { includePartialMessages: partial = false, exitZeroOnDenial = false } = options;
    const how = {
      partial,
      exitZeroOnDenial,
      limits: limitsOf(options),
      clock: systemClock,
      input: process.stdin,
      instructions,
      queues: options.queue,
    };
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
