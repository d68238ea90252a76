/** A part of the conversation. A `live` one may still change. */
export type Block = { id: number; live: boolean; lines: readonly string[] };

/**
 * What is written to the terminal's own screen, whose lines nobody can change once they are above it. Of what scrolled away, a part that still
 * goes on shows as it was; once it is over and looks otherwise, the last screenful is drawn again.
 */
export type Document = {
  /** All lines to be shown: of the blocks, and what stands below them. */
  lines(blocks: readonly Block[], below: readonly string[], size: { width: number; rows: number }): string[];
  /** From here on begins with this block; with none of those so far for null. The screen must be drawn anew. */
  begin(id: number | null): void;
  /** The last screenful is drawn again, since something else was on the screen. The screen must be drawn anew. */
  again(): void;
};

/** @param redraw Asked to draw the screen anew, later. */
export function createDocument(redraw: () => void): Document {
  let size = { width: 0, rows: 0 };
  /** The block it begins after, null for none, and the one after which it was drawn last: with the first, or later. */
  let begun: number | null = null;
  let after: number | null = null;
  let last: readonly Block[] = [];
  /** What was shown of each block, in order. */
  let shown: { id: number; lines: readonly string[] }[] = [];
  /** Lines above the screen. */
  let above = 0;
  let total = 0;
  let wantsRedraw = false;

  const since = (id: number | null, blocks: readonly Block[]) => blocks.slice(blocks.findIndex((block) => block.id === id) + 1);
  const askRedraw = () => {
    if (wantsRedraw) return;
    wantsRedraw = true;
    redraw();
  };
  const forget = () => {
    shown = [];
    above = 0;
    total = 0;
    wantsRedraw = false;
  };

  return {
    lines(blocks, below, now) {
      last = blocks;
      const isResized = size.width !== now.width || size.rows !== now.rows;
      if ((isResized && size.width !== 0) || wantsRedraw) {
        forget();
        const from = blocks.length - lastScreenful(since(begun, blocks), now.rows - below.length);
        after = blocks[from - 1]?.id ?? null;
      }
      size = now;
      const { parts, isStale } = stitch(since(after, blocks), shown, above);
      shown = parts;
      const all = [...parts.flatMap(({ lines }) => lines), ...below];
      // An almost empty screen is no place to go on.
      const isSunk = all.length < total && above > 0 && all.length - above < Math.min(now.rows, all.length) / 2;
      total = all.length;
      above = Math.max(above, all.length - now.rows);
      if (isStale || isSunk) askRedraw();
      return all;
    },
    again() {
      wantsRedraw = true;
    },
    begin(id) {
      const at = id === null ? last.length : last.findIndex((block) => block.id === id);
      begun = last[at - 1]?.id ?? null;
      after = begun;
      forget();
    },
  };
}

/** How many of the last blocks fill a screen. The last one is there on the smallest: it may be the answer that is written now. */
function lastScreenful(blocks: readonly Block[], rows: number): number {
  let left = Math.max(1, rows);
  let count = 0;
  for (const { lines } of blocks.toReversed()) {
    if (left <= 0) break;
    left -= lines.length;
    count++;
  }
  return count;
}

/** The blocks as they can be shown: lines above the screen stay as they were. */
function stitch(
  blocks: readonly Block[],
  shown: readonly { id: number; lines: readonly string[] }[],
  above: number,
): { parts: { id: number; lines: readonly string[] }[]; isStale: boolean } {
  const parts: { id: number; lines: readonly string[] }[] = [];
  let isStale = false;
  let line = 0;
  let at = 0;
  for (const before of shown) {
    const fixed = Math.min(Math.max(0, above - line), before.lines.length);
    line += before.lines.length;
    const block = blocks[at];
    if (fixed === 0 && block?.id !== before.id) continue;
    if (block?.id !== before.id) {
      // It is gone, and what was seen of it cannot be.
      parts.push({ id: before.id, lines: before.lines.slice(0, fixed) });
      isStale = true;
      continue;
    }
    at++;
    const head = before.lines.slice(0, fixed);
    const isSame = head.every((text, index) => text === block.lines[index]);
    if (!isSame && !block.live) isStale = true;
    parts.push({ id: block.id, lines: isSame ? block.lines : [...head, ...block.lines.slice(fixed)] });
  }
  for (const { id, lines } of blocks.slice(at)) parts.push({ id, lines });
  return { parts, isStale };
}
