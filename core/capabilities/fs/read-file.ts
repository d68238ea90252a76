import type { FileHandle } from "node:fs/promises";
import { fileFailed } from "./file-failed.ts";
import { openFile } from "./opened.ts";

/** The longest file that is read whole, in bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The text of a file by its canonical path; a BOM is kept. Throws `file_failed` for what is too long or no UTF-8. */
export async function readText(canonical: string): Promise<string> {
  const { file, bytes } = await openFile(canonical);
  try {
    if (bytes > MAX_FILE_BYTES) throw tooLong(canonical);
    // Some files say that they have 0 bytes, and others grow.
    const read = await readPart(file, 0, MAX_FILE_BYTES + 1);
    if (read.length > MAX_FILE_BYTES) throw tooLong(canonical);
    return decode(canonical, read);
  } finally {
    await file.close();
  }
}

/** Bytes of a file by its canonical path, from `offset` on; fewer than `length` where it ends. Throws `file_failed`. */
export async function readBytes(canonical: string, { offset, length }: { offset: number; length: number }): Promise<Buffer> {
  const { file } = await openFile(canonical);
  try {
    return await readPart(file, offset, length);
  } catch (error) {
    throw fileFailed(canonical, error);
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.createReadStream({ autoClose: false, start: offset, end: offset + length - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function decode(canonical: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fileFailed(canonical, "it is no UTF-8 text");
  }
}

function tooLong(canonical: string) {
  return fileFailed(canonical, `it is longer than ${MAX_FILE_BYTES} bytes`);
}
