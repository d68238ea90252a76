import { read as callbackRead, closeSync, readSync } from "node:fs";
import { promisify } from "node:util";
import type { Window } from "../../../sdk/api.ts";
import { fileFailed } from "./file-failed.ts";
import { createLineWindow, type LineWindowOptions } from "./line-window.ts";
import { openToRead } from "./opened.ts";

const CHUNK_BYTES = 512 * 1024;
/** Shorter files are read at once, into a buffer of their own: through a thread it would take many times as long. */
const SHORT_BYTES = 128 * 1024;
/** A NUL byte in the first so many bytes makes a file binary. */
const SNIFF_BYTES = 64 * 1024;
/** The longest window, in characters. */
const MAX_WINDOW_CHARS = 16 * 1024 * 1024;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** A window of a file's lines by its canonical path. Only the window is held, whatever the file's size. Throws `file_failed`. */
export async function readWindow(canonical: string, options: LineWindowOptions, signal?: AbortSignal): Promise<Window> {
  const { fd, bytes } = await openToRead(canonical);
  try {
    const window = createLineWindow(options);
    let read = 0;
    let encoding: Window["encoding"] = "utf-8";
    for await (const chunk of chunksOf(fd, bytes)) {
      signal?.throwIfAborted();
      let part = chunk;
      if (read === 0) {
        if (part.subarray(0, SNIFF_BYTES).includes(0)) return { lines: [], totalLines: 0, bytes, encoding: "binary", invalid: false };
        if (part.subarray(0, 3).equals(BOM)) {
          encoding = "utf-8-bom";
          part = part.subarray(3);
        }
      }
      read += chunk.length;
      window.push(part);
      if (window.chars() > MAX_WINDOW_CHARS) throw fileFailed(canonical, `the window is longer than ${MAX_WINDOW_CHARS} characters`);
    }
    return { ...window.end(), bytes: Math.max(bytes, read), encoding };
  } catch (error) {
    throw fileFailed(canonical, error);
  } finally {
    closeSync(fd);
  }
}

const readInto = promisify(callbackRead);

/** Buffers for those who read next: new ones cost as much as what is read into them. */
const spare: [Buffer, Buffer][] = [];
const MAX_SPARE = 2;

/**
 * The bytes of a file in order. The next ones are read while some are worked on; each chunk is filled anew two chunks later.
 * A file that says how long it is, and is short, is read at once.
 */
async function* chunksOf(fd: number, bytes: number): AsyncGenerator<Buffer> {
  if (bytes > 0 && bytes < SHORT_BYTES) {
    const buffer = Buffer.allocUnsafe(bytes + 1);
    const bytesRead = readSync(fd, buffer, 0, bytes + 1, null);
    yield buffer.subarray(0, bytesRead);
    // One that grew meanwhile has more.
    if (bytesRead <= bytes) return;
  }
  const buffers = spare.pop() ?? [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)];
  const readNext = (turn: number) => readInto(fd, buffers[turn % 2 === 0 ? 0 : 1], 0, CHUNK_BYTES, null);
  let next = readNext(0);
  try {
    for (let turn = 1; ; turn++) {
      const { buffer, bytesRead } = await next;
      if (bytesRead === 0) return;
      next = readNext(turn);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await next.catch(() => {});
    if (spare.length < MAX_SPARE) spare.push(buffers);
  }
}
