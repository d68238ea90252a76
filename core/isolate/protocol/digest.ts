import { createHash } from "node:crypto";

/** What is left of a value that is too long to be kept: bytes of its JSON and of the long strings beside it, and a hash over both. */
export type Digest = { bytes: number; sha256: string };

/** The same wherever it is made, as long as the value is packed alike. */
export function digestOf(json: string | undefined, texts: readonly string[]): Digest {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const text of [json ?? "null", ...texts]) {
    hash.update(text);
    bytes += Buffer.byteLength(text);
  }
  return { bytes, sha256: hash.digest("hex") };
}
