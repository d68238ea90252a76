import { readBodies } from "./heredocs.ts";
import { peek, type Reader } from "./reader.ts";

/** Passes over blanks alone. */
export function skipPlainBlanks(reader: Reader): void {
  while (peek(reader) === " " || peek(reader) === "\t") reader.at++;
}

/** Passes over blanks, and a comment that begins where a word could. */
export function skipBlanks(reader: Reader): void {
  skipPlainBlanks(reader);
  if (peek(reader) !== "#") return;
  reader.comments.push(reader.at);
  const end = reader.source.indexOf("\n", reader.at);
  reader.at = end === -1 ? reader.source.length : end;
}

/** Passes over newlines too; the bodies of heredocs stand behind the first. */
export function skipSpace(reader: Reader): void {
  skipBlanks(reader);
  while (peek(reader) === "\n") {
    takeNewline(reader);
    skipBlanks(reader);
  }
}

export function takeNewline(reader: Reader): void {
  reader.at++;
  if (reader.pending.length > 0) readBodies(reader);
}
