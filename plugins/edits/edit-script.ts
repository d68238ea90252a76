export type Change = { kind: " " | "-" | "+"; line: string };

/** Lines that may differ before the rest is left out. */
const MAX_CHANGES = 200;

/** Lines of both texts that are behind, after `d` changes. */
type Reached = { x: number; y: number; d: number };

/**
 * The shortest way from some lines to others, by Myers' greedy algorithm. Where more than a few hundred lines differ, `isWhole` is false
 * and the changes are those up to the place that was reached.
 */
export function editScript(before: readonly string[], after: readonly string[]): { changes: Change[]; isWhole: boolean } {
  const most = Math.min(before.length + after.length, MAX_CHANGES);
  const offset = most + 1;
  /** The furthest line of `before` that was reached on each diagonal. */
  const reached = new Int32Array(2 * most + 3);
  const steps: Int32Array[] = [];
  let best: Reached = { x: 0, y: 0, d: 0 };
  for (let d = 0; d <= most; d++) {
    steps.push(reached.slice());
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(reached, offset, k, d) ? reached[offset + k + 1]! : reached[offset + k - 1]! + 1;
      let y = x - k;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++;
        y++;
      }
      reached[offset + k] = x;
      if (x >= before.length && y >= after.length) return { changes: walkBack(before, after, steps, offset, { x, y, d }), isWhole: true };
      if (x <= before.length && y <= after.length && x + y > best.x + best.y) best = { x, y, d };
    }
  }
  return { changes: walkBack(before, after, steps, offset, best), isWhole: false };
}

/** Whether a path to a diagonal comes down from the one above, rather than from the left. */
function isDown(reached: Int32Array, offset: number, k: number, d: number): boolean {
  return k === -d || (k !== d && reached[offset + k - 1]! < reached[offset + k + 1]!);
}

function walkBack(before: readonly string[], after: readonly string[], steps: readonly Int32Array[], offset: number, end: Reached): Change[] {
  const changes: Change[] = [];
  let { x, y } = end;
  const same = (toX: number, toY: number) => {
    while (x > toX && y > toY) {
      changes.push({ kind: " ", line: before[--x]! });
      y--;
    }
  };
  for (let d = end.d; d > 0; d--) {
    const reached = steps[d]!;
    const k = x - y;
    const down = isDown(reached, offset, k, d);
    const fromX = reached[offset + k + (down ? 1 : -1)]!;
    const fromY = fromX - k + (down ? -1 : 1);
    same(down ? fromX : fromX + 1, down ? fromY + 1 : fromY);
    if (down) changes.push({ kind: "+", line: after[--y]! });
    else changes.push({ kind: "-", line: before[--x]! });
  }
  same(0, 0);
  return changes.reverse();
}
