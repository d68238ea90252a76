import type { Socket } from "node:net";
import { createFrameReader, encodeFrame, type Frame } from "./frames.ts";

export type Channel = {
  /** Queues one frame; all frames of a tick leave in one write. Throws a RangeError for a frame that is too large. */
  send(head: unknown, parts: readonly string[]): void;
  /** Writes what is queued now. */
  flush(): void;
  /** Bytes that the other side has not taken yet. */
  backlog(): number;
};

export type ChannelOptions = {
  /** Where many frames come at once, what is said to them leaves after so many milliseconds: the other side need not wait for the last of them. */
  flushMs?: number;
};

/** Frames over a socket, both ways. `onBroken` is told once of a frame that is none; nothing is read after it. */
export function createChannel(
  socket: Socket,
  onFrame: (frame: Frame) => void,
  onBroken: (error: unknown) => void,
  { flushMs = Number.POSITIVE_INFINITY }: ChannelOptions = {},
): Channel {
  let queue: Buffer[] = [];
  let queuedBytes = 0;
  let scheduled = false;
  let broken = false;
  let flushed = performance.now();
  const read = createFrameReader((frame) => {
    onFrame(frame);
    if (queue.length > 0 && performance.now() - flushed >= flushMs) flush();
  });
  socket.on("data", (chunk: Buffer) => {
    if (broken) return;
    try {
      read(chunk);
    } catch (error) {
      broken = true;
      onBroken(error);
    }
  });
  const flush = (): void => {
    scheduled = false;
    if (queue.length === 0) return;
    const chunks = queue;
    queue = [];
    queuedBytes = 0;
    flushed = performance.now();
    if (!socket.destroyed) for (const chunk of merged(chunks)) socket.write(chunk);
  };
  return {
    send(head, parts) {
      for (const chunk of encodeFrame(JSON.stringify(head), parts)) {
        queue.push(chunk);
        queuedBytes += chunk.length;
      }
      if (scheduled) return;
      scheduled = true;
      process.nextTick(corked);
    },
    flush,
    backlog: () => socket.writableLength + queuedBytes,
  };

  function corked(): void {
    socket.cork();
    flush();
    socket.uncork();
  }
}

const SMALL = 16_384;

/** Joins small chunks, so that many frames are one piece to write; large ones are left as they are. */
function merged(chunks: Buffer[]): Buffer[] {
  if (chunks.length === 1) return chunks;
  const out: Buffer[] = [];
  let run: Buffer[] = [];
  const close = (): void => {
    if (run.length > 0) out.push(run.length === 1 ? run[0]! : Buffer.concat(run));
    run = [];
  };
  for (const chunk of chunks) {
    if (chunk.length < SMALL) run.push(chunk);
    else {
      close();
      out.push(chunk);
    }
  }
  close();
  return out;
}
