import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { MortiseError } from "../../../sdk/errors.ts";
import { charsetOf } from "./charset.ts";

/** The text of a response, decompressed, up to so many bytes. Never holds more, whatever it unpacks to. Throws `net_failed` for a packing nobody asked for. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<{ text: string; bytes: number; truncated: boolean }> {
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
  const body = Buffer.concat(chunks);
  // Half a character at the cut is left out.
  return { text: decoder(charsetOf(body, response.headers["content-type"] ?? "")).decode(body, { stream: truncated }), bytes: length, truncated };
}

function decompressed(response: IncomingMessage): Readable {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const unpack = unpackers[encoding]?.();
  if (unpack === undefined) {
    if (encoding === "" || encoding === "identity") return response;
    response.destroy();
    throw new MortiseError("net_failed", { seen: `the body is packed as ${JSON.stringify(encoding.slice(0, 40))}, which was not asked for` });
  }
  // A failure on either side comes out of the iteration over the last one.
  return pipeline(response, unpack, () => {});
}

const unpackers: Readonly<Record<string, () => ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>>> = {
  __proto__: null as never,
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
