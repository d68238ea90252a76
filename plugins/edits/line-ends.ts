/** A text with LF for every line end, and what puts its own line ends back. */
export type PlainText = {
  text: string;
  /** Whether both kinds of line ends are there. */
  isMixed: boolean;
  /** Where a place in `text` is in the text as it was. */
  at(place: number): number;
  /** The line end that text takes which goes in place of these characters. */
  lineEnd(from: number, to: number): "\n" | "\r\n";
};

export function withPlainLineEnds(original: string): PlainText {
  if (!original.includes("\r\n")) return { text: original, isMixed: false, at: (place) => place, lineEnd: () => "\n" };
  const pieces = original.split("\r\n");
  const text = pieces.join("\n");
  /** Places in `text` of the line ends that were CRLF, in order. */
  const ends = new Int32Array(pieces.length - 1);
  for (let i = 0, at = 0; i < ends.length; i++, at++) {
    at += pieces[i]!.length;
    ends[i] = at;
  }
  const around = createLineEnds(text);
  return {
    text,
    isMixed: pieces.some((piece) => piece.includes("\n")),
    at: (place) => place + countBelow(ends, place),
    lineEnd: (from, to) => {
      const { before, after } = around(from);
      // Of the line end inside, else of the line before, or where there is none, of the first line.
      const end = before === -1 || (after !== -1 && after < to) ? after : before;
      return end !== -1 && ends[countBelow(ends, end)] === end ? "\r\n" : "\n";
    },
  };
}

/** Where the line ends are before and after a place, -1 where there is none. Places that come in order cost one look at the text together. */
function createLineEnds(text: string): (place: number) => { before: number; after: number } {
  let before = -1;
  let after = text.indexOf("\n");
  return (place) => {
    if (before >= place) [before, after] = [-1, text.indexOf("\n")];
    while (after !== -1 && after < place) [before, after] = [after, text.indexOf("\n", after + 1)];
    return { before, after };
  };
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
