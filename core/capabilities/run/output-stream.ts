import { Socket } from "node:net";
import type { Readable } from "node:stream";

export type OutputStream = {
  /** Settles at the end of the stream, or when nothing came for a while after the program's exit. */
  drained(pauseMs: number, longestMs: number): Promise<void>;
  /** Reads on without looking, so that a program left running is neither ended nor held up by a full pipe. Does not keep the host running. */
  ignore(): void;
};

/** Decodes one stream by itself: a character that comes in two pieces stays whole, and what is no UTF-8 becomes U+FFFD. */
export function readOutput(stream: Readable, show: (text: string) => void): OutputStream {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let ignored = false;
  let pieces = 0;
  const ended = new Promise<void>((resolve) => {
    // A pipe that breaks has ended.
    stream.once("end", resolve).once("close", resolve).once("error", resolve);
  });
  stream.on("error", () => {});
  stream.on("data", (chunk: Buffer) => {
    pieces++;
    if (ignored) return;
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") show(text);
  });

  return {
    async drained(pauseMs, longestMs) {
      const pipeEnd = ended.then(() => true);
      const latest = performance.now() + longestMs;
      for (let seen = -1; seen !== pieces && performance.now() < latest; ) {
        seen = pieces;
        if (await Promise.race([pipeEnd, pause(pauseMs)])) break;
      }
      const rest = ignored ? "" : decoder.decode();
      if (rest !== "") show(rest);
    },
    ignore() {
      ignored = true;
      if (stream instanceof Socket) stream.unref();
    },
  };
}

/** A late timer may come before what was waiting to be read, so reading gets its turn afterwards. */
function pause(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => setImmediate(() => setImmediate(resolve, false)), ms));
}
