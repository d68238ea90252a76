import { CommanderError } from "commander";
import { MortiseError } from "../../sdk/errors.ts";
import type { Cli } from "./cli.ts";
import { exitOfCode, exits } from "./exits.ts";
import { failedResult } from "./headless/result.ts";
import { createSdkResults } from "./headless/sdk/sdk-lines.ts";
import { uuid7 } from "./headless/uuid7.ts";
import { visible } from "./visible.ts";

/** What a program that reads standard output looks for: nothing, an object with an error, or the result of a run, also as the SDK has it. */
export type Told = "nothing" | "error" | "result" | "sdk_result";

/** Tells a person, and the program that reads standard output, why a command did not do its work. Answers the exit code. */
export async function report(error: unknown, cli: Cli, { as, command }: { as: Told; command: string | undefined }): Promise<number> {
  const { code, message, exit, stack } = explain(error, command);
  cli.stdio.say(`${cli.stdio.paintError("red", "mortise:")} ${visible(message)}`);
  if (stack !== undefined) cli.stdio.say(visible(stack));
  if (as === "result") await cli.stdio.write(`${JSON.stringify(failedResult({ code, message }))}\n`);
  if (as === "sdk_result") {
    const line = { ...createSdkResults().line(failedResult({ code, message })), uuid: uuid7() };
    await cli.stdio.write(`${JSON.stringify(line)}\n`);
  }
  if (as === "error") await cli.stdio.json({ error: { code, message } });
  return exit;
}

function explain(error: unknown, command: string | undefined): { code: string; message: string; exit: number; stack?: string | undefined } {
  if (error instanceof CommanderError) return { code: "usage", message: usageSentence(error, command), exit: exits.usage };
  if (error instanceof MortiseError)
    return {
      code: error.code,
      message: error.message,
      exit: "exit" in error && typeof error.exit === "number" ? error.exit : exitOfCode(error.code),
    };
  const { message } = new MortiseError("internal", { seen: error instanceof Error ? error.message : String(error) });
  return { code: "internal", message, exit: exits.failed, stack: error instanceof Error ? error.stack : undefined };
}

/** `error: unknown option '--jsn'\n(Did you mean --json?)` as sentences. */
function usageSentence(error: CommanderError, command: string | undefined): string {
  const [first = "", ...rest] = error.message
    .replace(/^error: /, "")
    .replace(/\n/g, " ")
    .replace(/[.\s]+$/, "");
  return `${first.toUpperCase()}${rest.join("")}. See \`mortise ${command === undefined ? "" : `${command} `}--help\`.`;
}
