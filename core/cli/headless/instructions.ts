import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { MortiseError } from "../../../sdk/errors.ts";

/** What the model is told about itself: instead of what it is told anyway, or after that. It may change while a session lasts. */
export type Instructions = { system: string | undefined; append: string | undefined };

export type InstructionOptions = {
  systemPrompt?: string;
  systemPromptFile?: string;
  appendSystemPrompt?: string;
  appendSystemPromptFile?: string;
};

/** Characters of each. */
const MAX_CHARS = 1024 * 1024;

/** Throws `usage` where two are given for one, and for a file that cannot be read. */
export async function readInstructions(options: InstructionOptions): Promise<Instructions> {
  return {
    system: await textOf("--system-prompt", options.systemPrompt, options.systemPromptFile),
    append: await textOf("--append-system-prompt", options.appendSystemPrompt, options.appendSystemPromptFile),
  };
}

export function instructionsOver({ system, append }: Instructions, usual: string): string {
  const text = system ?? usual;
  return append === undefined || append.trim() === "" ? text : `${text}\n\n${append}`;
}

async function textOf(option: string, text: string | undefined, file: string | undefined): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) throw new MortiseError("usage", { seen: `${option} and ${option}-file say the same` });
  const said = file === undefined ? text : await textIn(resolve(file), option);
  if (said !== undefined && said.length > MAX_CHARS) throw new MortiseError("usage", { seen: `${option} has more than ${MAX_CHARS} characters` });
  return said;
}

async function textIn(path: string, option: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).replace(/^\ufeff/, "");
  } catch (cause) {
    throw new MortiseError("usage", { seen: `${option}-file: ${cause instanceof Error ? cause.message : path}`, cause });
  }
}
