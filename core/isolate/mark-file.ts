import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MARK_BYTES, type Mark, NO_MARK, readMark } from "./protocol/mark.ts";

export type MarkFile = { fd: number; read(): Mark; close(): void };

/** The file that a runner inherits to say whose turn it is; it has no name any more when the runner starts. */
export function createMarkFile(): MarkFile {
  const folder = mkdtempSync(join(tmpdir(), "mortise-"));
  const fd = openSync(join(folder, "mark"), "wx+", 0o600);
  rmSync(folder, { recursive: true, force: true });
  ftruncateSync(fd, MARK_BYTES);
  const buffer = Buffer.alloc(MARK_BYTES);
  let last = NO_MARK;
  let open = true;
  return {
    fd,
    read() {
      for (let attempt = 0; open && attempt < 3; attempt++) {
        readSync(fd, buffer, 0, MARK_BYTES, 0);
        const mark = readMark(buffer);
        if (mark === undefined) continue;
        last = mark;
        break;
      }
      return last;
    },
    close() {
      if (open) closeSync(fd);
      open = false;
    },
  };
}
