import type { Heredoc, WordNode } from "./ast.ts";
import { readLoose } from "./expansions.ts";
import { doubt, type Reader } from "./reader.ts";

/** A heredoc whose body is still to come. Nothing in its delimiter is expanded. */
export function openHeredoc(reader: Reader, target: WordNode, strips: boolean): Heredoc {
  if (target.parts.some((part) => part.kind !== "text") || /[$`\n\r]/.test(target.raw)) doubt(reader, "an unusual heredoc delimiter");
  const delimiter = target.parts.map((part) => (part.kind === "text" ? part.text : part.kind === "param" ? part.param.raw : "")).join("");
  const heredoc: Heredoc = { delimiter, quoted: target.parts.some((part) => part.kind === "text" && part.quoted), strips, parts: [], raw: "" };
  reader.pending.push(heredoc);
  return heredoc;
}

/** Reads the bodies of all heredocs that the line before opened. */
export function readBodies(reader: Reader): void {
  for (const heredoc of reader.pending.splice(0)) readBody(reader, heredoc);
}

function readBody(reader: Reader, heredoc: Heredoc): void {
  const { delimiter, quoted, strips } = heredoc;
  const start = reader.at;
  const lines: string[] = [];
  for (;;) {
    if (reader.at >= reader.source.length) {
      doubt(reader, "a heredoc without its end");
      break;
    }
    const line = quoted ? takeLine(reader) : takeJoinedLine(reader);
    const text = strips ? line.replace(/^\t+/, "") : line;
    if (text === delimiter) break;
    lines.push(text);
  }
  if (!quoted)
    for (const { index } of reader.source.slice(start, reader.at).matchAll(/\\[\s\S]/g))
      if (/[$`]/.test(reader.source[start + index + 1]!)) reader.escapes.push(start + index);
  heredoc.raw = reader.source.slice(start, reader.at);
  const body = lines.map((line) => `${line}\n`).join("");
  heredoc.parts = quoted ? [{ kind: "text", text: body, quoted: true }] : readLoose(body, reader, "$`\\");
}

function takeLine(reader: Reader): string {
  const newline = reader.source.indexOf("\n", reader.at);
  const end = newline === -1 ? reader.source.length : newline;
  const line = reader.source.slice(reader.at, end);
  reader.at = Math.min(end + 1, reader.source.length);
  return line;
}

/** A backslash at the end of a line joins it with the next, before the delimiter is looked for. */
function takeJoinedLine(reader: Reader): string {
  let joined = "";
  for (;;) {
    const line = takeLine(reader);
    const slashes = /\\*$/.exec(line)![0].length;
    if (slashes % 2 === 0 || reader.at >= reader.source.length) return joined + line;
    joined += line.slice(0, -1);
  }
}
