import { stripVTControlCharacters } from "node:util";
import { visible } from "../../visible.ts";

/**
 * Text of a model, a tool, a plugin or a file as it may stand on the screen: what would steer the terminal, reorder or hide text is shown as
 * an escape. Tabs are blanks; emoji keep the joiners that they are made of.
 */
export function screenText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", "    ")
    .split(EMOJI)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join("");
}

/** `screenText` on one line. */
export function screenLine(text: string): string {
  const lines = screenText(text).split("\n");
  return lines.length === 1 ? (lines[0] ?? "") : lines.flatMap((line) => line.trim() || []).join(" ");
}

/** What a program wrote for a terminal: without its colours, and lines that it wrote over as it left them. */
export function outputText(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => {
      const end = line.endsWith("\r") ? line.slice(0, -1) : line;
      return end.slice(end.lastIndexOf("\r") + 1);
    });
  return screenText(lines.join("\n"));
}

/**
 * A line as it leaves for the terminal: styles stay, and everything else that would steer it is taken out. The last door, behind `screenText`.
 * @param markers What the terminal library itself puts in for the cursor.
 */
export function guarded(line: string, markers: readonly string[] = []): string {
  if (!STEERING.test(line)) return line;
  return line
    .split(KEPT)
    .map((part, index) => (index % 2 === 1 && (part.endsWith("m") || markers.includes(part)) ? part : part.replace(ALL_STEERING, "")))
    .join("");
}

const EMOJI = /(\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f)/v;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const ALL_STEERING = new RegExp(STEERING, "g");
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles and markers begin with one
const KEPT = /(\u001b\[[0-9;:]*m|\u001b_[^\u0007\u001b]*\u0007)/;
