import type { BigIntStats } from "node:fs";

/** What a file is known by until it changes: which one it is, how long, and when it was written. Times are coarse, and tools set them back. */
export function versionOf({ ino, size, mtimeNs }: Pick<BigIntStats, "ino" | "size" | "mtimeNs">): string {
  return `${ino}-${size}-${mtimeNs}`;
}
