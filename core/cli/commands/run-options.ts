import { type Command, InvalidArgumentError, Option } from "commander";
import { MortiseError } from "../../../sdk/errors.ts";
import type { RunLimits } from "../../agent/backend.ts";
import type { Timers } from "../../agent/limits.ts";
import type { SessionOptions } from "../headless/choose-session.ts";
import type { InstructionOptions } from "../headless/instructions.ts";
import { namesIn } from "../headless/tool-offer.ts";

export type RunOptions = SessionOptions &
  InstructionOptions & {
    output: "text" | "json" | "stream-json";
    input: "text" | "stream-json";
    verbose?: true;
    includePartialMessages?: true;
    image?: string[];
    model?: string;
    /** False: the session goes with the run. */
    sessionPersistence: boolean;
    maxTurns?: number;
    maxCost?: number;
    maxTokens?: number;
    timeout?: number;
    maxRetryWait?: number;
    allowedTools?: string[];
    disallowedTools?: string[];
    sdkTools?: string[];
    sdkAllow?: string[];
    sdkDeny?: string[];
    yolo?: true;
    permissionMode?: string;
    permissionTimeout?: number;
    /** False: a message that comes while another is worked on is refused. */
    queue: boolean;
    exitZeroOnDenial?: true;
    trust?: true;
    plugin?: string[];
    grant: boolean;
    plugins: boolean;
    cwd?: string;
  };

export function runOptions(command: Command): Command {
  return command
    .addOption(new Option("--output <format>", "what is printed").choices(["text", "json", "stream-json"]).default("text"))
    .addOption(
      new Option("--input <format>", "what standard input is: stream-json speaks with a program").choices(["text", "stream-json"]).default("text"),
    )
    .option("--verbose", "with --output json: print all lines as one array")
    .option("--include-partial-messages", "with --output stream-json: print text and output as they grow")
    .option("--image <file>", "show an image too (repeatable)", collected)
    .option("-m, --model <provider/name>", "the model, instead of the config's")
    .option("--system-prompt <text>", "what the model is told about itself, instead of Mortise's own words")
    .option("--system-prompt-file <file>", "the same, from a file")
    .option("--append-system-prompt <text>", "what it is told after that")
    .option("--append-system-prompt-file <file>", "the same, from a file")
    .option("-c, --continue", "go on with the last session of this folder")
    .option("-s, --session <id>", "go on with this session")
    .option("--fork-session", "go on in a copy of it")
    .option("--session-id <id>", "keep the session under this id, which must be free")
    .option("--no-session-persistence", "delete the session when the run ends")
    .option("--max-turns <n>", "end the run after so many answers of the model", whole)
    .option("--max-cost <usd>", "end the run once it cost so much", positive)
    .option("--max-tokens <n>", "end the run once it used so many tokens, subagents and summaries included", tokens)
    .option("--timeout <seconds>", "end the run after so many seconds", seconds)
    .option("--max-retry-wait <seconds>", "end the run rather than wait longer than this to ask the model again", seconds)
    .option("--allowed-tools <names>", "offer these tools and no others, between commas (repeatable)", named)
    .option("--disallowed-tools <names>", "do not offer these tools, whatever else is said (repeatable)", named)
    .option("--yolo", "allow what no rule decides")
    .option("--permission-mode <mode>", "with --input stream-json: default, acceptEdits, dontAsk or bypassPermissions")
    .option("--permission-timeout <seconds>", "with --input stream-json: deny what is not answered within so many seconds", seconds)
    .option("--no-queue", "with --input stream-json: refuse a message that comes before the last one has its result")
    .option("--exit-zero-on-denial", "exit with 0 also where a call was denied")
    .option("--trust", "let the project's files count for this run, as they are now")
    .option("--plugin <file>", "load this plugin too, with what it asks for (repeatable)", collected)
    .option("--no-grant", "do not grant the --plugin files what they ask for")
    .option("--no-plugins", "load no plugins but the built-in ones and the --plugin files")
    .option("--cwd <folder>", "the project's folder, where tools run")
    .addOption(new Option("--sdk-tools <names>").argParser(named).hideHelp())
    .addOption(new Option("--sdk-allow <rules>").argParser(named).hideHelp())
    .addOption(new Option("--sdk-deny <rules>").argParser(named).hideHelp());
}

/** Throws `usage` for options that contradict each other, before anything is read. */
export function checkTogether(prompt: string | undefined, options: RunOptions): void {
  const { input, output, image, continue: goesOn, session, forkSession } = options;
  const refuse = (seen: string) => {
    throw new MortiseError("usage", { seen });
  };
  if (goesOn && session !== undefined) refuse("--continue and --session name two sessions");
  if (forkSession && !goesOn && session === undefined) refuse("--fork-session needs --session or --continue");
  if (!options.sessionPersistence && (goesOn || session !== undefined) && !forkSession)
    refuse("--no-session-persistence would delete the session that is gone on with; --fork-session takes a copy");
  if (input === "text") {
    if (!options.queue) refuse("--no-queue needs --input stream-json");
    if (options.permissionMode !== undefined) refuse("--permission-mode needs --input stream-json");
    if (options.permissionTimeout !== undefined) refuse("--permission-timeout needs --input stream-json, since nobody is asked without it");
    return;
  }
  if (output !== "stream-json") refuse("--input stream-json needs --output stream-json");
  if (prompt !== undefined || image !== undefined) refuse("with --input stream-json prompts and images come on standard input");
  if (process.stdin.isTTY) refuse("--input stream-json reads no terminal");
}

/** Of each run; what is not said is the agent's own. */
export function limitsOf({ maxTurns, maxCost, maxTokens, timeout }: RunOptions): Partial<RunLimits> {
  return {
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxCost === undefined ? {} : { maxCostUsd: maxCost }),
    ...(maxTokens === undefined ? {} : { maxTotalTokens: maxTokens }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
  };
}

export function timersOf({ maxRetryWait, permissionTimeout }: RunOptions): Partial<Timers> {
  return {
    ...(maxRetryWait === undefined ? {} : { retryWaitMs: maxRetryWait * 1_000 }),
    ...(permissionTimeout === undefined ? {} : { permissionMs: permissionTimeout * 1_000 }),
  };
}

function collected(value: string, values: readonly string[] = []): string[] {
  if (value === "") throw new InvalidArgumentError("It is a path.");
  return [...values, value];
}

function named(value: string, values: readonly string[] = []): string[] {
  return [...values, ...namesIn(value)];
}

function whole(value: string): number {
  if (!/^[1-9]\d{0,6}$/.test(value)) throw new InvalidArgumentError("It is a whole number, at least 1.");
  return Number(value);
}

function tokens(value: string): number {
  if (!/^[1-9]\d{0,11}$/.test(value)) throw new InvalidArgumentError("It is a whole number of tokens, at least 1.");
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
