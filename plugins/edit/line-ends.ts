/** A text with LF for every line end, and what puts its own line ends back. */
export type PlainText = {
  text: string;
  /** Where a place in `text` is in the text as it was. */
  at(place: number): number;
  /** The line end that text takes which goes in place of these characters. */
  lineEnd(from: number, to: number): "\n" | "\r\n";
};

export function withPlainLineEnds(original: string): PlainText {
  if (!original.includes("\r\n")) return { text: original, at: (place) => place, lineEnd: () => "\n" };
  const pieces = original.split("\r\n");
  const text = pieces.join("\n");
  /** Places in `text` of the line ends that were CRLF, in order. */
  const ends = new Int32Array(pieces.length - 1);
  for (let i = 0, at = 0; i < ends.length; i++, at++) {
    at += pieces[i]!.length;
    ends[i] = at;
  }
  const before = (place: number) => countBelow(ends, place);
  return {
    text,
    at: (place) => place + before(place),
    lineEnd: (from, to) => {
      const inside = text.indexOf("\n", from);
      const end = inside !== -1 && inside < to ? inside : nearest(text, from, inside);
      return end !== -1 && ends[before(end)] === end ? "\r\n" : "\n";
    },
  };
}

/** The line end before a place, or where it is on the first line, the one after it. */
function nearest(text: string, place: number, after: number): number {
  const before = place === 0 ? -1 : text.lastIndexOf("\n", place - 1);
  return before === -1 ? after : before;
}

function countBelow(sorted: Int32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
