/** The row that a place in the text is in, counted from 0, and where that row begins. */
export function createRows(text: string): { row(at: number): number; startOf(row: number): number } {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return {
    row(at) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= at) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    startOf: (row) => starts[row]!,
  };
}
