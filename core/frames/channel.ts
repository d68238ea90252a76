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
  /**
   * Of so many frames all that follows at once is done, and said, before the next ones are heard: the other side begins with that meanwhile.
   * All that come together unless said.
   */
  group?: number;
  /** Hands over all that comes, where that is not the socket's `data`. */
  source?: (take: (chunk: Buffer) => void) => void;
};

/** Frames over a socket, both ways. `onBroken` is told once of a frame that is none; nothing is read after it. */
export function createChannel(
  socket: Socket,
  onFrame: (frame: Frame) => void,
  onBroken: (error: unknown) => void,
  { flushMs = Number.POSITIVE_INFINITY, group, source = (take) => socket.on("data", take) }: ChannelOptions = {},
): Channel {
  let queue: Buffer[] = [];
  let queuedBytes = 0;
  let scheduled = false;
  let broken = false;
  let flushed = performance.now();
  const read = createFrameReader(group === undefined ? hear : inGroups(group, hear));
  source((chunk) => {
    if (broken) return;
    try {
      read(chunk);
    } catch (error) {
      // After what came before it, which is well formed.
      if (group === undefined) fail(error);
      else setImmediate(fail, error);
    }
  });
  const flush = (): void => {
    scheduled = false;
    if (queue.length === 0) return;
    const chunks = queue;
    queue = [];
    queuedBytes = 0;
    flushed = performance.now();
    if (socket.destroyed) return;
    const pieces = merged(chunks);
    if (pieces.length > 1) socket.cork();
    for (const piece of pieces) socket.write(piece);
    if (pieces.length > 1) socket.uncork();
  };
  return {
    send(head, parts) {
      for (const chunk of encodeFrame(JSON.stringify(head), parts)) {
        queue.push(chunk);
        queuedBytes += chunk.length;
      }
      if (scheduled) return;
      scheduled = true;
      process.nextTick(flush);
    },
    flush,
    backlog: () => socket.writableLength + queuedBytes,
  };

  function hear(frame: Frame): void {
    if (broken) return;
    try {
      onFrame(frame);
    } catch (error) {
      fail(error);
    }
    if (queue.length > 0 && performance.now() - flushed >= flushMs) flush();
  }

  function fail(error: unknown): void {
    if (broken) return;
    broken = true;
    onBroken(error);
  }
}

/** Each group is heard in a callback of its own, after which the event loop does what follows. All are heard before the socket closes. */
function inGroups(most: number, hear: (frame: Frame) => void): (frame: Frame) => void {
  let last: Frame[] = [];
  const hearAll = (frames: Frame[]): void => {
    if (last === frames) last = [];
    for (const frame of frames) hear(frame);
  };
  return (frame) => {
    if (last.length === most) last = [];
    if (last.push(frame) === 1) setImmediate(hearAll, last);
  };
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
