import type { ProgramResult, ToolResult } from "mortise/sdk";

export type Ran = { timeoutSeconds: number; memoryMb: number; code: string; tools: readonly string[] };

/** What a model reads of code that ran: what it printed, what it gave, and how it ended where there is more to say. */
export function resultText(result: ProgramResult, ran: Ran): ToolResult {
  const { ended, printed, value } = result;
  const failure = failureOf(result, ran);
  const parts = [
    printed.replace(/\n$/, ""),
    ...(value === undefined ? [] : [`return: ${value}`]),
    ...(failure === undefined
      ? []
      : [`[${failure}${ended === "syntax" ? "" : `. ${printed === "" ? "Nothing was" : "Above is what was"} printed before`}]`]),
    ...notes(result).map((note) => `[${note}]`),
  ].filter((part) => part !== "");
  return {
    text: parts.length === 0 ? "(no output)" : parts.join("\n"),
    isError: failure !== undefined,
    data: { ended },
    ...(ended === "timeout" || ended === "cancelled" ? { cut: ended } : {}),
  };
}

function failureOf({ ended, error }: ProgramResult, { timeoutSeconds, memoryMb, code, tools }: Ran): string | undefined {
  switch (ended) {
    case "done":
      return undefined;
    case "syntax":
      return `The code could not be read${at(error)}: ${messageOf(error)}. Nothing was run${/^\s*(?:import|export)\b/m.test(code) ? "; modules cannot be imported or exported here, call tools instead" : ""}`;
    case "error":
      return `The code failed${at(error)}: ${messageOf(error)}${hintOf(messageOf(error), code, tools)}`;
    case "timeout":
      return `The code was ended after its ${timeoutSeconds} s, waiting for tools not counted. Give a longer timeout, or do less`;
    case "memory":
      return `The code was ended, since it used more than ${memoryMb} MB of memory. Keep less at once`;
    case "output":
      return "The code was ended, since it printed more than 8,000,000 characters. Print less";
    case "stuck":
      return "The code was ended, since it waits for a promise that nothing will settle. Look at what it awaits last";
    case "cancelled":
      return "The code was ended, since its call was cancelled or had no time left";
    case "lost":
      return "The process that ran the code ended. Its calls may have had effects; look before you run it again";
  }
}

function messageOf(error: ProgramResult["error"]): string {
  return (error?.message ?? "no reason").replace(/\.+$/, "");
}

function at(error: ProgramResult["error"]): string {
  return error?.line === undefined ? "" : ` at line ${error.line}, column ${error.column}`;
}

function hintOf(message: string, code: string, tools: readonly string[]): string {
  if (/\btools(?:\.|\[).* is not a function/.test(message)) return `. There is ${tools.length === 0 ? "no tool" : tools.join(", ")}`;
  if (/^(?:require|process|fetch|fs|Deno|Bun|module|exports) is not defined/.test(message))
    return ". There are no modules, files or network here: call tools";
  if (code.includes("Promise.all(")) return ". Promise.allSettled keeps the results of the calls that did not fail";
  return "";
}

function notes({ unhandled, unfinished: { calls, timers } }: ProgramResult): string[] {
  return [
    ...unhandled.map((text) => `A promise was rejected and nobody handled it: ${text}`),
    ...(calls > 0
      ? [`${counted(calls, "call")} of tools had not ended and ${calls === 1 ? "was" : "were"} cancelled; await each. They may have had effects`]
      : []),
    ...(timers > 0 ? [`${counted(timers, "timer")} had not fired and will not; await what they are for`] : []),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
