/** Beginnings of a terminal sequence: a control sequence (colours, cursor), a string (titles, links), an escape of a few characters. */
const CONTROL = "(?:\u001b\\[|\u009b)[0-?]*[ -/]*";
const STRING = "(?:\u001b[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u009c]*";
const ESCAPE = "\u001b[ -/]*";
/** Whole ones; of one that does not end as it should, the beginning. */
const SEQUENCE = new RegExp(`${CONTROL}[@-~]|${STRING}(?:\u0007|\u001b\\\\|\u009c)|${ESCAPE}[0-~]?|[\u0090\u0098\u009b\u009d-\u009f]`, "g");
const UNFINISHED = new RegExp(`(?:${CONTROL}|${STRING}\u001b?|${ESCAPE})$`);
/** Characters of an unfinished sequence; what is longer was none. */
const UNFINISHED_CHARS = 4_096;

/**
 * Text without terminal sequences, so that a colour inside a token cannot hide it from a redactor. CRLF becomes LF;
 * a line that carriage returns or backspaces wrote over keeps what a terminal would show last.
 */
export function plainText(text: string): string {
  return lastFrames(text.replace(SEQUENCE, ""));
}

function lastFrames(text: string): string {
  return text.includes("\r") || text.includes("\b") ? text.split("\n").map(lastFrame).join("\n") : text;
}

function lastFrame(line: string): string {
  const end = withoutReturns(line);
  return overstruck(line.slice(line.lastIndexOf("\r", end - 1) + 1, end));
}

/** A backspace moves back by one character, and what comes next takes its place. */
function overstruck(frame: string): string {
  if (!frame.includes("\b")) return frame;
  const shown: string[] = [];
  let at = 0;
  for (const character of frame) {
    if (character === "\b") at = Math.max(at - 1, 0);
    else shown[at++] = character;
  }
  return shown.join("");
}

/** Where the carriage returns at the end of a text begin. */
function withoutReturns(text: string): number {
  let end = text.length;
  while (text[end - 1] === "\r") end--;
  return end;
}

/**
 * The same for text that comes in chunks: a sequence or line end that a chunk breaks off waits for the next one.
 * What was shown cannot be written over any more, so the next frame of such a line gets a line of its own.
 */
export function plainStream(show: (text: string) => void): { write(text: string): void; end(): void } {
  let broken = "";
  let isLineBegun = false;
  const send = (text: string) => {
    const plain = lastFrames(text);
    if (plain === "") return;
    const first = /^[^\n]*/.exec(text)?.[0] ?? "";
    const isAnew = isLineBegun && first.slice(0, withoutReturns(first)).includes("\r");
    isLineBegun = !plain.endsWith("\n");
    show(isAnew ? `\n${plain}` : plain);
  };
  return {
    write(text) {
      const all = broken + text;
      const sequence = UNFINISHED.exec(all)?.index ?? all.length;
      const at = all.length - sequence > UNFINISHED_CHARS ? all.length : sequence;
      const clean = all.slice(0, at).replace(SEQUENCE, "");
      const end = withoutReturns(clean);
      // Any number of carriage returns does what one does.
      broken = (end < clean.length ? "\r" : "") + all.slice(at);
      send(clean.slice(0, end));
    },
    end() {
      send(broken.replace(SEQUENCE, ""));
      broken = "";
    },
  };
}
