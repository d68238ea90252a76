import { cut, range } from "./entry-text.ts";

const LONGEST = 100;
const MOST_LINES = 5_000;

/** What is known of a text without its language: its outermost lines that have something below them, with how far that goes. */
export function roughLines(text: string): string[] {
  const lines = text.split("\n");
  const entries: { text: string; start: number; end: number; depth: number }[] = [];
  for (const [row, line] of lines.entries()) {
    const shown = line.trim();
    if (shown === "") continue;
    const depth = line.length - line.trimStart().length;
    const last = entries.at(-1);
    if (last !== undefined && (depth > last.depth || /^[\])}]|^end\b/.test(shown))) last.end = row;
    else entries.push({ text: shown, start: row, end: row, depth });
  }
  const blocks = entries.filter(({ start, end, text: shown }) => end > start || HEAD.test(shown));
  const listed = (blocks.length > 0 ? blocks : entries).slice(0, MOST_LINES);
  return listed.map((entry) => `${cut(entry.text, LONGEST)} ${range(entry.start, entry.end)}`);
}

/** Lines that begin something by their look alone. */
const HEAD =
  /^(?:#{1,6} |\[.+\]$|(?:pub|public|export|private|static|async|abstract|final)?\s*(?:function|func|fn|def|class|struct|interface|type|enum|module|namespace|package|sub|proc|procedure|macro|trait|impl|section)\b)/;
