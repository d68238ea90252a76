export type Columns = {
  /** Bytes of a line. */
  push(piece: Buffer): void;
  /** What was kept of the line, with U+FFFD for what is no UTF-8 and for half a character at the beginning, and without a CR at its end. The next line begins. */
  end(): string;
};

/** Keeps a line from a column on, in UTF-16 units: so many of them and one more. However long the line is, no more is held. */
export function createColumns(column: number, maxChars: number): Columns {
  let decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let seen = 0;
  let kept = "";

  const take = (text: string) => {
    const from = Math.max(column - 1 - seen, 0);
    seen += text.length;
    if (from < text.length && kept.length <= maxChars) kept += text.slice(from, from + maxChars + 1 - kept.length);
  };

  return {
    push: (piece) => take(decoder.decode(piece, { stream: true })),
    end() {
      take(decoder.decode());
      const isWhole = column - 1 + kept.length >= seen;
      const line = isWhole && kept.endsWith("\r") ? kept.slice(0, -1) : kept;
      decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      seen = 0;
      kept = "";
      return /^[\udc00-\udfff]/.test(line) ? `\ufffd${line.slice(1)}` : line;
    },
  };
}
