/**
 * Ends a stream after its last chunk, also where whoever sends it keeps it open. That one has a while to end by itself, in milliseconds, so that its
 * connection can be used again.
 */
export function endedAfter<T>(stream: ReadableStream<T>, isLast: (chunk: T) => boolean, graceMs = 1_000): ReadableStream<T> {
  const reader = stream.getReader();
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      if (!isLast(value)) return;
      controller.close();
      const timer = setTimeout(() => void reader.cancel().catch(() => {}), graceMs).unref();
      void readOn(reader).finally(() => clearTimeout(timer));
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function readOn(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // What comes after the end is nobody's.
  }
}

/** Whether a chunk of server-sent events brings the line that says that they are over, which may begin in chunks before. */
export function createDoneLine(): (chunk: Uint8Array) => boolean {
  let before = "\n";
  return (chunk) => {
    const text = before + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    before = text.slice(-LONGEST);
    return text.includes("[DONE]") && /[\r\n]data: ?\[DONE\] *[\r\n]/.test(text);
  };
}

/** More than the line has, with what is around it. */
const LONGEST = 32;
