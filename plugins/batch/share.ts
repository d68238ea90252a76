/** How much of each text is shown where all of them together may take `budget`: small ones stay whole, and the others get the same share of what is left. */
export function shares(sizes: readonly number[], budget: number): number[] {
  let left = Math.max(budget, 0);
  let open = sizes.length;
  const given = sizes.map(() => 0);
  const smallestFirst = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  for (const { size, index } of smallestFirst) {
    const share = Math.min(size, Math.floor(left / open));
    given[index] = share;
    left -= share;
    open--;
  }
  return given;
}
