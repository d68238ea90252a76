import { visible } from "../visible.ts";

export { visible, visibleJson, visibleLine } from "../visible.ts";

/** `visible`, with long runs of one character or of empty lines folded into a count, so that padding pushes nothing out of sight. */
export function unpadded(text: string): string {
  return visible(text)
    .replace(/\n(?:[^\S\n]*\n){5,}/g, (run) => `\n⟨${run.split("\n").length - 2} empty lines⟩\n`)
    .replace(/(\\t|\\u\{[0-9a-f]+\}|[^\n])\1{47,}/gu, (run, unit: string) => folded(unit, run.length / unit.length));
}

/** Text of a tool for a terminal: colours stay, everything else that steers a terminal is shown as an escape. */
export function harmless(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(STEERING, (character) => `\\u{${codePoint(character)}}`)))
    .join("");
}

/** At most `limit` characters, the middle left out with a count. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit * 0.7);
  const tail = limit - head;
  return `${whole(text.slice(0, head))} … ${text.length - limit} more characters … ${whole(text.slice(text.length - tail))}`;
}

const STEERING = /(?![\n\t])[\p{Cc}]|\p{Cs}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOUR = /(\u001b\[[0-9;:]*m)/;

function folded(unit: string, times: number): string {
  return unit === " " ? ` ⟨${times} spaces⟩ ` : `⟨${unit} ${times} times⟩`;
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

/** Without half a surrogate pair at its ends. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
