import type { RunResult } from "mortise/sdk";

/** What the model reads of a command: its output, then in brackets or lines of their own how it ended, where that was not a plain success. */
export function resultText(result: RunResult, timeoutS: number): { text: string; isError: boolean } {
  const output = result.text.replace(/\n$/, "");
  const notes: string[] = [];
  if (result.droppedBytes > 0) notes.push(`[${result.droppedBytes} bytes left out in the middle]`);
  if (result.leftRunning) notes.push("[a process it started is still running]");
  const ended = ending(result, timeoutS, output === "");
  if (ended !== undefined) notes.push(ended);
  const isError = result.ended !== "exit" || result.exitCode !== 0;
  if (output === "" && notes.length === 0) return { text: "Exit code: 0", isError: false };
  return { text: [...(output === "" ? [] : [output]), ...notes].join("\n"), isError };
}

function ending({ ended, exitCode, signal }: RunResult, timeoutS: number, silent: boolean): string | undefined {
  const partial = silent ? "nothing was printed before" : "the output above is partial";
  switch (ended) {
    case "timeout":
      return `[timed out after ${timeoutS} s; ${partial}]`;
    case "cancelled":
      return `[cancelled; ${partial}]`;
    case "output":
      return `[ended, since it printed more than the output limit; ${partial}]`;
    case "exit":
      if (signal !== null) return `Signal: ${signal}`;
      return exitCode === 0 ? undefined : `Exit code: ${exitCode}`;
  }
}

/** The last lines of a text. */
export function tailOf(text: string, lines: number): string {
  const all = text.replace(/\n$/, "").split("\n");
  return all.length <= lines ? text : `[${all.length - lines} lines before]\n${all.slice(-lines).join("\n")}`;
}
