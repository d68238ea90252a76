import { hash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { fileFailed } from "./capabilities/fs/file-failed.ts";
import { openFile } from "./capabilities/fs/opened.ts";

export type FileText = {
  /** Without a BOM; empty where the file is binary. */
  text: string;
  /** Of what the file holds. */
  hash: string;
  bytes: number;
  encoding: "utf-8" | "utf-8-bom" | "binary";
  /** Whether bytes that are no UTF-8 were replaced. */
  invalid: boolean;
};

export type FileTexts = {
  /** The hash of a file's content where it was read before and certainly has not changed since. */
  known(canonical: string): string | undefined;
  /** Throws `file_failed`, also where the file is longer than so many bytes. */
  read(canonical: string, maxBytes: number): Promise<FileText>;
};

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

type Stamp = { stamp: string; hash: string };

/** A NUL byte in the first so many bytes makes a file binary. */
const SNIFF_BYTES = 64 * 1024;
const SHORT_BYTES = 256 * 1024;
const MOST_FILES = 20_000;
/** What changed so shortly before it was read, in milliseconds, may change again without a new time of change. */
const SETTLED_MS = 2_000;

/** Reads files whole, and remembers the hash of each by its times and size. */
export function createFileTexts(): FileTexts {
  const stamps = new Map<string, Stamp>();
  return {
    known(canonical) {
      const seen = stamps.get(canonical);
      if (seen === undefined) return undefined;
      return stampAt(canonical) === seen.stamp ? seen.hash : undefined;
    },

    async read(canonical, maxBytes) {
      const short = readShort(canonical, Math.min(maxBytes, SHORT_BYTES));
      if (short !== undefined) return taken(canonical, short.stats, short.content);
      const { file } = await openFile(canonical);
      try {
        const before = await file.stat({ bigint: true });
        if (before.size > maxBytes) throw fileFailed(canonical, `it has ${before.size} bytes, and at most ${maxBytes} are read`);
        return taken(canonical, before, await wholeOf(file, Number(before.size)));
      } catch (error) {
        throw fileFailed(canonical, error);
      } finally {
        await file.close();
      }
    },
  };

  function taken(canonical: string, stats: BigIntStats, content: Buffer): FileText {
    const digest = hash("sha256", content, "base64");
    if (Date.now() - Number(stats.mtimeMs) > SETTLED_MS) keep(canonical, { stamp: stampOf(stats), hash: digest });
    return { ...decoded(content), hash: digest, bytes: content.length };
  }

  function keep(canonical: string, stamp: Stamp): void {
    stamps.delete(canonical);
    stamps.set(canonical, stamp);
    for (const oldest of stamps.keys()) {
      if (stamps.size <= MOST_FILES) break;
      stamps.delete(oldest);
    }
  }
}

/**
 * A short regular file, at once: through threads it would take ten times as long. Undefined for all that is not as it should be,
 * which is left to the careful way.
 */
function readShort(canonical: string, maxBytes: number): { stats: BigIntStats; content: Buffer } | undefined {
  if (process.platform !== "linux") return undefined;
  let file: number | undefined;
  try {
    const there = lstatSync(canonical, { throwIfNoEntry: false });
    if (!there?.isFile() || there.size > maxBytes) return undefined;
    file = openSync(canonical, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile() || stats.size > BigInt(maxBytes) || readlinkSync(`/proc/self/fd/${file}`) !== canonical) return undefined;
    const buffer = Buffer.allocUnsafe(Number(stats.size));
    return { stats, content: buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0)) };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** In one go where the file has the size that it says. */
async function wholeOf(file: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size + 1);
  const { bytesRead } = await file.read(buffer, 0, size + 1, 0);
  return buffer.subarray(0, Math.min(bytesRead, size));
}

function stampAt(canonical: string): string | undefined {
  try {
    const stats = lstatSync(canonical, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? undefined : stampOf(stats);
  } catch {
    return undefined;
  }
}

function stampOf(stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}

function decoded(content: Buffer): Pick<FileText, "text" | "encoding" | "invalid"> {
  if (content.subarray(0, SNIFF_BYTES).includes(0)) return { text: "", encoding: "binary", invalid: false };
  const text = content.toString("utf8");
  const invalid = text.includes("\ufffd") && !content.equals(Buffer.from(text));
  return text.startsWith("\ufeff") ? { text: text.slice(1), encoding: "utf-8-bom", invalid } : { text, encoding: "utf-8", invalid };
}
