import type { Block } from "./match-blocks.ts";

export type NewestBlocks = {
  /** @param mtimeMs When the file was changed, in milliseconds. */
  add(block: Block, mtimeMs: number): void;
  /** Those of the newest files, newest first, as many as can be shown. */
  end(): Block[];
  /** Of all that was added. */
  files(): number;
  matches(): number;
};

export type NewestBlocksOptions = {
  /** What is shown at most: matching lines, or files where no lines were asked for. */
  limit: number;
  /** Bytes of lines that are shown at most. */
  maxBytes: number;
};

/** Blocks beyond what is shown, after which older ones are let go. */
const SPARE = 1_000;

type Timed = { block: Block; readonly mtimeMs: number };

/** Keeps the blocks of the newest files, and lets the others go: memory is bounded by what is shown. */
export function createNewestBlocks({ limit, maxBytes }: NewestBlocksOptions): NewestBlocks {
  let timed: Timed[] = [];
  let files = 0;
  let matches = 0;
  /** Of lines. */
  let bytes = 0;

  const prune = () => {
    const before = timed;
    // Numbers side by side are compared in half the time.
    const times = Float64Array.from(before, ({ mtimeMs }) => mtimeMs);
    const order = before.map((_, index) => index).sort((a, b) => times[b]! - times[a]! || (before[a]!.block.path < before[b]!.block.path ? -1 : 1));
    timed = order.map((index) => before[index]!);
    let [shown, shownBytes] = [0, 0];
    const last = timed.findIndex(({ block }) => {
      shown += Math.max(block.matches, 1);
      shownBytes += block.lines.bytes;
      return shown >= limit || shownBytes >= maxBytes;
    });
    if (last !== -1) timed = timed.slice(0, last + 1);
    bytes = timed.reduce((sum, { block }) => sum + block.lines.bytes, 0);
  };

  return {
    add(block, mtimeMs) {
      files++;
      matches += block.matches;
      timed.push({ block, mtimeMs });
      bytes += block.lines.bytes;
      if (bytes > 2 * maxBytes || timed.length > 2 * Math.min(limit, 1e6) + SPARE) prune();
    },
    end() {
      prune();
      return timed.map(({ block }) => block);
    },
    files: () => files,
    matches: () => matches,
  };
}
