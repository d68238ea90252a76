import { stripVTControlCharacters } from "node:util";

/**
 * Text without terminal sequences, so that a colour inside a token cannot hide it from a redactor. CRLF becomes LF;
 * a line that carriage returns wrote over keeps what a terminal would show last.
 */
export function plainText(text: string): string {
  let plain = text;
  if (plain.includes("\u001b") || plain.includes("\u009b")) plain = stripVTControlCharacters(plain);
  if (!plain.includes("\r")) return plain;
  return plain
    .replace(/\r+\n/g, "\n")
    .split("\n")
    .map((line) => (line.includes("\r") ? lastFrame(line) : line))
    .join("\n");
}

function lastFrame(line: string): string {
  const frames = line.split("\r");
  return frames.findLast((frame) => frame !== "") ?? "";
}

/** The same for text that comes in chunks: an escape sequence or line end that a chunk breaks off waits for the next one. */
export function plainStream(show: (text: string) => void): { write(text: string): void; end(): void } {
  let broken = "";
  const send = (text: string) => {
    if (text !== "") show(text);
  };
  return {
    write(text) {
      const all = broken + text;
      // An unfinished sequence is short; what is longer was none.
      const cut = /(?:\u001b[^\u001b]{0,64}|\u001b|\r)$/.exec(all);
      const at = cut !== null && (cut[0] === "\r" || !isFinished(cut[0])) ? cut.index : all.length;
      broken = all.slice(at);
      send(plainText(all.slice(0, at)));
    },
    end() {
      send(plainText(broken));
      broken = "";
    },
  };
}

/** Whether the text begins with a whole escape sequence. */
function isFinished(text: string): boolean {
  return !stripVTControlCharacters(text).startsWith("\u001b");
}
