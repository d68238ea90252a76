import type { Readable } from "node:stream";
import { MortiseError } from "../../../sdk/errors.ts";

/** Bytes of standard input that a prompt may have. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Milliseconds that somebody who gave a prompt has to begin to write to standard input. */
const FIRST_BYTE_MS = 3_000;

export type PromptSource = {
  /** Of the command line. */
  prompt: string | undefined;
  stdin: Readable & { isTTY?: boolean };
  aborted: AbortSignal;
  say(line: string): void;
  firstByteMs?: number;
};

/**
 * What is asked: the prompt, with what was piped in after it, or that alone. A terminal is never read.
 * Throws `usage` where there is nothing, or too much of it, and `cancelled`.
 */
export async function readPrompt({ prompt = "", stdin, aborted, say, firstByteMs = FIRST_BYTE_MS }: PromptSource): Promise<string> {
  const isPrompted = prompt.trim() !== "";
  const piped = stdin.isTTY === true ? "" : await readAll(stdin, aborted, isPrompted ? firstByteMs : undefined, say);
  const isPiped = piped.trim() !== "";
  if (!isPrompted && !isPiped) throw new MortiseError("usage", { seen: "there is no prompt" });
  if (!isPiped) return prompt;
  return isPrompted ? `${prompt}\n\n<stdin>\n${piped.replace(/\n$/, "")}\n</stdin>` : piped;
}

async function readAll(stdin: Readable, aborted: AbortSignal, firstByteMs: number | undefined, say: (line: string) => void): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A program that starts this one may leave a pipe open that it never writes to.
  const timer =
    firstByteMs === undefined
      ? undefined
      : setTimeout(() => {
          say("mortise: Nothing came on standard input, which was not closed either, so only the prompt is sent. `< /dev/null` says so at once.");
          stdin.destroy();
        }, firstByteMs);
  const onAbort = () => stdin.destroy();
  aborted.addEventListener("abort", onAbort, { once: true });
  try {
    for await (const chunk of stdin) {
      clearTimeout(timer);
      const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      bytes += buffer.length;
      if (bytes > MAX_BYTES) throw new MortiseError("usage", { seen: `standard input has more than ${MAX_BYTES} bytes` });
      chunks.push(buffer);
    }
  } catch (error) {
    if (error instanceof MortiseError) throw error;
    // One that was closed from here, or by whoever wrote to it, is over.
  } finally {
    clearTimeout(timer);
    aborted.removeEventListener("abort", onAbort);
  }
  if (aborted.aborted) throw new MortiseError("cancelled", { seen: "a signal came before the prompt was whole" });
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\ufeff/, "");
}
