const BYTES = 60;

/** What a list calls a session by: the beginning of its first message, at most 60 bytes, cut between words. */
export function titleOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return "New session";
  if (Buffer.byteLength(line) <= BYTES) return line;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(line.slice(0, BYTES * 2))) {
    if (Buffer.byteLength(cut + segment) > BYTES) break;
    cut += segment;
  }
  const word = cut.lastIndexOf(" ");
  return word > 0 ? cut.slice(0, word) : cut;
}
