import type { RunResult } from "mortise/sdk";
import { lastLines } from "./last-lines.ts";

export type ResultOptions = {
  /** Lines to keep at the end. */
  tail?: number | undefined;
  /** The time that the command had, in milliseconds. */
  timeoutMs: number;
};

/** What a model reads about a command that ended: its output, and what is to be known about its end. */
export function resultText(result: RunResult, { tail, timeoutMs }: ResultOptions): { text: string; isError: boolean } {
  const { exitCode, signal, ended, leftRunning } = result;
  const whole = withGap(result);
  const output = (tail === undefined ? whole : lastLines(whole, tail)).replace(/\n$/, "");
  const notes = leftRunning ? ["[a process it started is still running]"] : [];

  if (ended !== "exit") return { text: joined(output, `[${early(ended, timeoutMs)}; ${seen(output)}]`, ...notes), isError: true };
  if (signal !== null) return { text: joined(output, `Signal: ${signal}`, ...notes), isError: true };
  if (exitCode !== 0) return { text: joined(output, `Exit code: ${exitCode}`, ...notes), isError: true };
  return { text: joined(output === "" && !leftRunning ? "Exit code: 0" : output, ...notes), isError: false };
}

function early(ended: "timeout" | "cancelled" | "output", timeoutMs: number): string {
  if (ended === "timeout") return `timed out after ${Math.round(timeoutMs / 100) / 10} s`;
  return ended === "cancelled" ? "cancelled" : "ended, since it printed without an end";
}

function seen(output: string): string {
  return output === "" ? "nothing was printed before" : "the output above is partial";
}

/** The middle of a long output is named where it is missing. */
function withGap({ text, droppedBytes, cutAt = text.length }: RunResult): string {
  if (droppedBytes === 0) return text;
  const [head, tail] = [text.slice(0, cutAt), text.slice(cutAt)];
  return `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}[${droppedBytes} bytes left out]\n${tail}`;
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}
