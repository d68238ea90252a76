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
  timeOf(path: Buffer): Promise<number>;
};

/** Blocks beyond what is shown, after which older ones are let go. */
const SPARE = 1_000;

/** Keeps the blocks of the newest files, and lets the others go as soon as their time is known: memory is bounded by what is shown. */
export function createNewestBlocks({ limit, maxBytes, timeOf }: NewestBlocksOptions): NewestBlocks {
  let timed: TimedBlock[] = [];
  const pending = new Set<Promise<void>>();
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

  return {
    add(block) {
      files++;
      matches += block.matches;
      const task = timeOf(block.path).then((mtimeMs) => {
        pending.delete(task);
        timed.push({ ...block, mtimeMs });
        held += block.lines.length;
        if (held > 2 * maxBytes || timed.length > 2 * Math.min(limit, 1e6) + SPARE) prune();
      });
      pending.add(task);
    },
    async end() {
      await Promise.all(pending);
      prune();
      return timed;
    },
    files: () => files,
    matches: () => matches,
  };
}
