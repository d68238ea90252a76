import { nextTurn } from "../files/next-turn.ts";

/** Characters of a page that are worked on in one turn: some ten milliseconds' work. */
export const CHUNK_CHARS = 32_768;

/** Elements whose text is nothing to read. */
const HIDDEN = ["script", "style", "noscript", "template", "svg", "iframe", "object", "textarea", "select"];
const BLOCK =
  /^(address|article|aside|blockquote|br|caption|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)$/;
/** Characters of a tag's name that are looked at. */
const NAME_CHARS = 32;
const ENTITY_CHARS = 10;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  copy: "©",
  laquo: "«",
  raquo: "»",
};

/** The text of a page without its markup, in one pass over it: blocks are lines, runs of blanks one blank. Other calls have their turns meanwhile. */
export async function plainText(html: string): Promise<string> {
  const lines = createLines();
  let turnEnds = CHUNK_CHARS;
  for (const { text, at } of partsOf(html)) {
    lines.add(decode(text));
    if (at < turnEnds) continue;
    turnEnds = at + CHUNK_CHARS;
    await nextTurn();
  }
  return lines.text();
}

type Part = { text: string /** How far the page is read by then. */; at: number };

function* partsOf(html: string): Generator<Part> {
  // `a < b` is text.
  const tag = /<(?=[a-z!?/])/gi;
  for (let at = 0; at < html.length; ) {
    tag.lastIndex = at;
    const open = tag.exec(html)?.index ?? html.length;
    yield* textParts(html, at, open);
    if (open === html.length) return;
    const start = html.slice(open, open + NAME_CHARS);
    const [mark, length] = start.startsWith("<!--") ? (["-->", 3] as const) : ([">", 1] as const);
    const close = html.indexOf(mark, open + 1);
    if (close === -1) return;
    at = close + length;
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(start)?.[1]?.toLowerCase() ?? "";
    if (HIDDEN.includes(name) && html[open + 1] !== "/") at = endOf(html, name, at);
    yield { text: BLOCK.test(name) ? "\n" : "", at };
  }
}

/** Long text in pieces that end before an entity that could be cut. */
function* textParts(html: string, from: number, to: number): Generator<Part> {
  for (let at = from; at < to; ) {
    let end = Math.min(at + CHUNK_CHARS, to);
    const entity = end < to ? html.slice(end - ENTITY_CHARS, end).lastIndexOf("&") : -1;
    if (entity !== -1) end -= ENTITY_CHARS - entity;
    yield { text: html.slice(at, end), at: end };
    at = end;
  }
}

/** Where an element ends whose content is skipped; the end of the page where it never does. */
function endOf(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  end.lastIndex = from;
  const found = end.exec(html);
  const close = found === null ? -1 : html.indexOf(">", found.index);
  return close === -1 ? html.length : close + 1;
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const lone = code >= 0xd800 && code <= 0xdfff;
    return code === 0 || code > 0x10ffff || lone ? "\ufffd" : String.fromCodePoint(code);
  });
}

/** Lines without blanks at their ends, and no two empty ones after each other. */
function createLines(): { add(text: string): void; text(): string } {
  const done: string[] = [];
  let current = "";
  const end = () => {
    const line = current.replace(/\s+/g, " ").trim();
    current = "";
    if (line !== "" || done.at(-1) !== "") done.push(line);
  };
  return {
    add(text) {
      const [first = "", ...rest] = text.split("\n");
      current += first;
      for (const line of rest) {
        end();
        current = line;
      }
    },
    text() {
      end();
      return done.join("\n").trim();
    },
  };
}
