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
/** Bytes beyond what is shown that may be held with it: lines hold the whole of what they were read in. */
const SPARE_BYTES = 16 * 1024 * 1024;

type Timed = { block: Block; readonly mtimeMs: number };

/** Keeps the blocks of the newest files, and lets the others go: memory is bounded by what is shown. */
export function createNewestBlocks({ limit, maxBytes }: NewestBlocksOptions): NewestBlocks {
  let timed: Timed[] = [];
  let files = 0;
  let matches = 0;
  /** Bytes of lines, and of all that they hold. */
  let bytes = 0;
  let heldBytes = 0;
  let lastData: Buffer | undefined;

  const prune = () => {
    timed.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.block.path < b.block.path ? -1 : 1));
    let [shown, shownBytes] = [0, 0];
    const last = timed.findIndex(({ block }) => {
      shown += Math.max(block.matches, 1);
      shownBytes += block.lines.bytes;
      return shown >= limit || shownBytes >= maxBytes;
    });
    if (last !== -1) timed = timed.slice(0, last + 1);
    bytes = timed.reduce((sum, { block }) => sum + block.lines.bytes, 0);
  };

  /** Lets go of what the kept lines were read in. */
  const copy = () => {
    for (const each of timed) each.block = { ...each.block, lines: copied(each.block.lines) };
    heldBytes = bytes;
    lastData = undefined;
  };

  return {
    add(block, mtimeMs) {
      files++;
      matches += block.matches;
      timed.push({ block, mtimeMs });
      bytes += block.lines.bytes;
      for (const { data } of block.lines.pieces) {
        if (data !== lastData) heldBytes += data.length;
        lastData = data;
      }
      if (bytes > 2 * maxBytes || timed.length > 2 * Math.min(limit, 1e6) + SPARE) prune();
      if (heldBytes <= 2 * maxBytes + SPARE_BYTES) return;
      prune();
      copy();
    },
    end() {
      prune();
      return timed.map(({ block }) => block);
    },
    files: () => files,
    matches: () => matches,
  };
}

function copied({ pieces, bytes }: Block["lines"]): Block["lines"] {
  const data = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const piece of pieces) at += piece.data.copy(data, at, piece.from, piece.to);
  return { pieces: bytes === 0 ? [] : [{ data, from: 0, to: bytes }], bytes };
}
