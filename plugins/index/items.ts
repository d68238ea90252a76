import type { SyntaxCapture } from "mortise/sdk";
import type { Item, Kind } from "./language.ts";

/** An item while it may still get children, attributes and cuts. */
type Open = {
  item: Item;
  start: number;
  end: number;
  parent: Open | undefined;
  depth: number;
  /** Its children are shown beside it. */
  flat: boolean;
  /** What lies in it is not shown. */
  leaf: boolean;
  /** It is a function, or in one. */
  inside: boolean;
  /** Pieces that are cut out of its text. */
  cuts: [start: number, end: number][] | undefined;
};

/** Comments and attributes that may stand directly above an item. */
type Lead = { startRow: number; endRow: number; column: number; attrs: string[] };

/** What is nested more deeply is not shown. */
const MOST_DEPTH = 8;

/** The tree of what a query captured. Of captures of the same range the first counts, so the more special pattern comes first. */
export function itemsOf(captures: readonly SyntaxCapture[]): Item[] {
  const roots: Item[] = [];
  const cut: Open[] = [];
  let open: Open | undefined;
  let lead: Lead | undefined;
  const cutFrom = (whole: Open, start: number, end: number) => {
    if (whole.cuts === undefined) cut.push(whole);
    whole.cuts ??= [];
    whole.cuts.push([start, end]);
  };
  for (const capture of inOrder(captures)) {
    const { start, end, startRow, startColumn } = capture;
    const { kind, flat, leaf, at, top } = meaning(capture.name);
    while (open !== undefined && open.end <= start) open = open.parent;
    if (kind === "tail") {
      if (open !== undefined && start >= open.start + open.item.text.length) open.item.tail = capture.text;
    } else if (kind === "cut") {
      if (open !== undefined) cutFrom(open, start, end);
    } else if (kind === "doc") {
      // Between the text of what is open and what is in it, a comment may be in the one and about the other.
      if (open !== undefined && end <= open.start + open.item.text.length) cutFrom(open, start, end);
      lead = joined(lead, capture, startColumn === lead?.column);
    } else if (kind === "attr") {
      if (open !== undefined && end <= open.start + open.item.text.length) {
        cutFrom(open, start, end);
        open.item.attrs.push(capture.text);
      } else {
        lead = joined(lead, capture, true);
        lead.attrs.push(capture.text);
      }
    } else if (open === undefined || !same(open, kind, capture)) {
      const above = lead !== undefined && belongs(lead, capture) ? lead : undefined;
      lead = undefined;
      const item: Item = {
        kind,
        text: capture.text,
        startRow: above?.startRow ?? startRow,
        endRow: capture.endRow,
        attrs: above?.attrs ?? [],
        children: [],
      };
      if (at) item.ranged = true;
      if (open?.leaf !== true && !(open?.inside && (top || OUTSIDE.includes(kind)))) childrenOf(open, roots).push(item);
      const depth = (open?.depth ?? 0) + 1;
      open = {
        item,
        start,
        end,
        parent: open,
        depth,
        flat,
        leaf: leaf || open?.leaf === true || depth > MOST_DEPTH,
        inside: open?.inside === true || INSIDES.includes(kind),
        cuts: undefined,
      };
    }
  }
  for (const { item, start, cuts } of cut) item.text = withoutCuts(item.text, start, cuts ?? []);
  return roots;
}

type Meaning = { kind: Kind | "cut" | "tail" | "doc" | "attr"; flat: boolean; leaf: boolean; at: boolean; top: boolean };
const meanings = new Map<string, Meaning>();

/** A capture is named by its kind, and flags behind it: `.flat`, `.leaf`, `.at` for a field with a range, `.top` for what counts outside functions alone. */
function meaning(name: string): Meaning {
  const known = meanings.get(name);
  if (known !== undefined) return known;
  const [kind, ...flags] = name.split(".");
  const made: Meaning = {
    kind: kind as Meaning["kind"],
    flat: flags.includes("flat") || kind === "whole",
    leaf: flags.includes("leaf"),
    at: flags.includes("at"),
    top: flags.includes("top"),
  };
  meanings.set(name, made);
  return made;
}

/** What begins first, and an outer capture before those in it. */
function inOrder(captures: readonly SyntaxCapture[]): readonly SyntaxCapture[] {
  const order = (a: SyntaxCapture, b: SyntaxCapture) => a.start - b.start || b.end - a.end;
  for (let at = 1; at < captures.length; at++) if (order(captures[at - 1]!, captures[at]!) > 0) return captures.toSorted(order);
  return captures;
}

const INSIDES: readonly string[] = ["fns", "method", "test"];
/** What in a function is nobody's business. */
const OUTSIDE: readonly string[] = ["import", "exports", "module", "consts"];
const HOLDS: readonly string[] = ["consts", "fns", "method", "import", "exports"];

/** Whether a capture is of what is open already: a declaration within its `export`, decorators or statement. */
function same(open: Open, kind: string, { start, end }: SyntaxCapture): boolean {
  if (open.start === start && open.end === end) return true;
  const alike =
    open.item.kind === kind || (HOLDS.includes(open.item.kind) && HOLDS.includes(kind)) || (open.item.kind === "field" && kind === "types");
  const { text } = open.item;
  if (!alike || start >= open.start + text.length) return false;
  return open.end - end <= 1 || (!HOLDS.includes(kind) && text.length < open.end - open.start);
}

function joined(lead: Lead | undefined, { startRow, endRow, startColumn }: SyntaxCapture, alike: boolean): Lead {
  if (lead !== undefined && alike && startRow <= lead.endRow + 1) {
    lead.endRow = endRow;
    return lead;
  }
  return { startRow, endRow, column: startColumn, attrs: [] };
}

/** A comment behind other code stands further right. What is listed may begin behind a word of its line that is not. */
function belongs(lead: Lead, { startRow, startColumn }: SyntaxCapture): boolean {
  return startRow === lead.endRow || (startRow === lead.endRow + 1 && startColumn >= lead.column);
}

function childrenOf(open: Open | undefined, roots: Item[]): Item[] {
  let shown = open;
  while (shown?.flat) shown = shown.parent;
  return shown?.item.children ?? roots;
}

function withoutCuts(whole: string, start: number, cuts: NonNullable<Open["cuts"]>): string {
  let text = "";
  let from = 0;
  for (const [cutStart, cutEnd] of cuts) {
    if (cutStart - start >= whole.length) break;
    if (cutStart - start < from) continue;
    text += whole.slice(from, cutStart - start);
    from = cutEnd - start;
  }
  return text + whole.slice(from);
}
