import type { Item, Kind } from "./language.ts";

export type Braced = {
  /** What a statement is, by its text and that of what it lies in, and whether braces open behind it. Undefined leaves it out, with all that lies in it. */
  kindOf(text: string, parent: string | undefined, opens: boolean): Kind | undefined;
  /** Of a text: strings, comments, line ends, braces, brackets and what stands between, each in one match. */
  tokens: RegExp;
  isComment(token: string): boolean;
  /** Where a line ends a statement: not before a piece that goes on with it, nor behind one that wants more. */
  byLines?: { goesOn: RegExp; wantsMore: RegExp };
};

/** What is in braces that are open. */
type Open = { item: Item | undefined; text: string };
/** A statement that is not at its end. */
type Statement = { pieces: string[]; startRow: number; lastRow: number; depth: number };

/** What is nested more deeply is not listed. */
const MOST_DEPTH = 8;

/** The statements of a text and what is in their braces. Comments directly above belong to a statement; the end of the text ends all that is open. */
export function braced(text: string, { kindOf, tokens, isComment, byLines }: Braced): Item[] {
  const roots: Item[] = [];
  const open: Open[] = [];
  let statement: Statement | undefined;
  let lead: { startRow: number; endRow: number } | undefined;
  let row = 0;

  const end = (opens = false): Item | undefined => {
    const ended = statement;
    statement = undefined;
    const parent = open.at(-1);
    if (ended === undefined || open.length >= MOST_DEPTH || (parent !== undefined && parent.item === undefined)) return undefined;
    const text = textOf(ended);
    const kind = kindOf(text, parent?.text, opens);
    if (kind === undefined) return undefined;
    const item: Item = { kind, text, startRow: ended.startRow, endRow: ended.lastRow, attrs: [], children: [] };
    (parent?.item?.children ?? roots).push(item);
    return item;
  };
  const add = (token: string) => {
    if (statement !== undefined && byLines !== undefined && statement.depth === 0 && statement.lastRow < row) {
      if (!byLines.goesOn.test(token) && !byLines.wantsMore.test(statement.pieces.findLast((piece) => piece !== " ") ?? "")) end();
    }
    statement ??= { pieces: [], startRow: lead !== undefined && lead.endRow >= row - 1 ? lead.startRow : row, lastRow: row, depth: 0 };
    lead = undefined;
    statement.pieces.push(token);
    statement.lastRow = row;
    if (/^[([]$/.test(token)) statement.depth++;
    else if (/^[)\]]$/.test(token)) statement.depth = Math.max(0, statement.depth - 1);
  };

  for (const [token] of text.matchAll(tokens)) {
    const lines = token.split("\n").length - 1;
    if (statement !== undefined && statement.depth > 0 && /\S/.test(token)) {
      // In parentheses and brackets nothing ends.
      if (!isComment(token) || byLines !== undefined) add(token);
    } else if (isComment(token)) {
      const together = lead !== undefined && lead.endRow >= row - 1;
      lead = { startRow: together ? lead!.startRow : row, endRow: row + lines };
    } else if (token === "{") {
      const named = statement === undefined ? "" : textOf(statement);
      open.push({ item: end(true), text: named });
    } else if (token === "}") {
      end();
      const closed = open.pop();
      if (closed?.item !== undefined) closed.item.endRow = row;
      lead = undefined;
    } else if (token === ";") end();
    else if (/\S/.test(token)) add(token);
    else if (statement !== undefined && statement.pieces.at(-1) !== " ") statement.pieces.push(" ");
    row += lines;
  }
  end();
  for (const { item } of open) if (item !== undefined) item.endRow = row;
  return roots;
}

function textOf({ pieces }: Statement): string {
  return pieces.join("").trim();
}
