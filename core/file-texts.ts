import { hash } from "node:crypto";
import { type BigIntStats, read as callbackRead, closeSync, fstatSync, lstatSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { fileFailed } from "./capabilities/fs/file-failed.ts";
import { openToRead } from "./capabilities/fs/opened.ts";

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
      const { fd } = await openToRead(canonical);
      try {
        const stats = fstatSync(fd, { bigint: true });
        if (stats.size > maxBytes) throw fileFailed(canonical, `it has ${stats.size} bytes, and at most ${maxBytes} are read`);
        return taken(canonical, stats, await wholeOf(fd, Number(stats.size)));
      } catch (error) {
        throw fileFailed(canonical, error);
      } finally {
        closeSync(fd);
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

/** A short file is read at once: through a thread it would take ten times as long. */
async function wholeOf(fd: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes + 1);
  const read = bytes > SHORT_BYTES ? (await readInto(fd, buffer, 0, bytes + 1, 0)).bytesRead : readSync(fd, buffer, 0, bytes + 1, 0);
  return buffer.subarray(0, Math.min(read, bytes));
}

const readInto = promisify(callbackRead);

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
