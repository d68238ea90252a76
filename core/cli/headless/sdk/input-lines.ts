/** Bytes of one line; a longer one is passed over. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Lines of a stream, without empty ones. One that is too long comes as undefined. The last one needs no line end. */
export async function* inputLines(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MAX_BYTES) parts.push(part);
    else parts = [];
  };
  const take = (): { line: string | undefined } | undefined => {
    const line =
      bytes > MAX_BYTES
        ? undefined
        : Buffer.concat(parts)
            .toString("utf8")
            .replace(/^\ufeff/, "");
    parts = [];
    bytes = 0;
    return line?.trim() === "" ? undefined : { line };
  };
  for await (const chunk of stream) {
    let rest = typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      const taken = take();
      if (taken !== undefined) yield taken.line;
    }
    add(rest);
  }
  const last = take();
  if (last !== undefined) yield last.line;
}
