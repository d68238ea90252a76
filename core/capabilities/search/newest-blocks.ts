import { lstatSync } from "node:fs";
import type { Block } from "./match-blocks.ts";

export type TimedBlock = Block & { mtimeMs: number };

export type NewestBlocks = {
  add(block: Block): void;
  /** Those of the newest files, newest first, as many as can be shown. */
  end(): Promise<TimedBlock[]>;
  /** Of all that was added. */
  files(): number;
  matches(): number;
};

export type NewestBlocksOptions = {
  /** What is shown at most: matching lines, or files where no lines were asked for. */
  limit: number;
  /** Bytes of lines that are shown at most. */
  maxBytes: number;
  /** When a file was changed, in milliseconds. */
  timeOf(path: Buffer): number;
};

/** Blocks beyond what is shown, after which older ones are let go. */
const SPARE = 1_000;
/** Milliseconds of work between two looks at what else the process has to do. */
const SLICE_MS = 4;

/** Keeps the blocks of the newest files, and lets the others go as soon as their time is known: memory is bounded by what is shown. */
export function createNewestBlocks({ limit, maxBytes, timeOf }: NewestBlocksOptions): NewestBlocks {
  let timed: TimedBlock[] = [];
  let waiting: Block[] = [];
  let at = 0;
  let idle = () => {};
  let files = 0;
  let matches = 0;
  let held = 0;

  const prune = () => {
    timed.sort((a, b) => b.mtimeMs - a.mtimeMs || Buffer.compare(a.path, b.path));
    let shown = 0;
    let bytes = 0;
    const last = timed.findIndex((block) => {
      shown += Math.max(block.matches, 1);
      bytes += block.lines.length;
      return shown >= limit || bytes >= maxBytes;
    });
    if (last !== -1) timed = timed.slice(0, last + 1);
    held = timed.reduce((sum, block) => sum + block.lines.length, 0);
  };

  const look = () => {
    const until = performance.now() + SLICE_MS;
    for (; at < waiting.length; at++) {
      if (performance.now() > until) {
        setImmediate(look);
        return;
      }
      const block = waiting[at]!;
      timed.push(Object.assign(block, { mtimeMs: timeOf(block.path) }));
      held += block.lines.length;
      if (held > 2 * maxBytes || timed.length > 2 * limit + SPARE) prune();
    }
    waiting = [];
    at = 0;
    idle();
  };

  return {
    add(block) {
      files++;
      matches += block.matches;
      if (waiting.push(block) === 1) setImmediate(look);
    },
    async end() {
      if (waiting.length > 0) {
        await new Promise<void>((resolve) => {
          idle = resolve;
        });
      }
      prune();
      return timed;
    },
    files: () => files,
    matches: () => matches,
  };
}

/**
 * When a file below a folder was changed. It was read a moment ago, so the system knows without asking a disk, and a call that comes back at once
 * costs a tenth of one through the thread pool. A file that is gone is as old as can be.
 */
export function timeBelow(folder: string): (path: Buffer) => number {
  const prefix = Buffer.from(`${folder}/`);
  return (path) => {
    try {
      return lstatSync(Buffer.concat([prefix, path]), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    } catch {
      return 0;
    }
  };
}
