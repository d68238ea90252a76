const LINE_END = 0x0a;

/** The bytes that a text takes as UTF-8, and its lines; text after the last line end is a line of its own. */
export function measure(text: string): { bytes: number; lines: number } {
  let bytes = text.length;
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_END) lines++;
    // Each half of a pair counts for two of its four bytes.
    else if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return { bytes, lines };
}
