import { fileFailed } from "./file-failed.ts";
import { openFile } from "./opened.ts";

/** The longest file that is read whole, in bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The text of a file by its canonical path; a BOM is kept. Throws `file_failed` for what is too long or no UTF-8. */
export async function readText(canonical: string): Promise<string> {
  const { file, bytes } = await openFile(canonical);
  try {
    if (bytes > MAX_FILE_BYTES) throw tooLong(canonical);
    const chunks: Buffer[] = [];
    let read = 0;
    // Some files say that they have 0 bytes, and others grow.
    for await (const chunk of file.createReadStream({ autoClose: false, end: MAX_FILE_BYTES })) {
      chunks.push(chunk);
      read += chunk.length;
    }
    if (read > MAX_FILE_BYTES) throw tooLong(canonical);
    return decode(canonical, Buffer.concat(chunks));
  } finally {
    await file.close();
  }
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
