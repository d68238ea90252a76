import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** The text of a response, decompressed, up to so many bytes. Never holds more, whatever it unpacks to. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  let truncated = false;
  const stream = decompressed(response);
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    truncated = length + bytes.length > maxBytes;
    chunks.push(truncated ? bytes.subarray(0, maxBytes - length) : bytes);
    length += chunks.at(-1)!.length;
    if (truncated) break;
  }
  response.destroy();
  // Half a character at the cut is left out.
  return { text: decoderOf(response).decode(Buffer.concat(chunks), { stream: truncated }), truncated };
}

function decompressed(response: IncomingMessage): Readable {
  const encoding = response.headers["content-encoding"]?.toLowerCase();
  const unpack =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : undefined;
  if (unpack === undefined) return response;
  // A failure on either side comes out of the iteration over the last one.
  return pipeline(response, unpack, () => {});
}

function decoderOf(response: IncomingMessage): TextDecoder {
  const charset = /charset="?([\w-]+)/i.exec(response.headers["content-type"] ?? "")?.[1];
  try {
    return new TextDecoder(charset ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
}
