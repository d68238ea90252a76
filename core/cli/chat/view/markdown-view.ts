import { Markdown } from "@earendil-works/pi-tui";
import { markdownTheme, type Paint } from "./look.ts";
import { screenText } from "./screen-text.ts";
import { wrapped } from "./wrapped.ts";

/** Markdown as lines. The text of an entry that grows is not parsed and wrapped anew where it stayed. */
export type MarkdownView = (id: number, text: string, width: number) => string[];

export function createMarkdownView(paint: Paint): MarkdownView {
  const theme = markdownTheme(paint);
  let last: { id: number; view: Markdown } | undefined;
  return (id, text, width) => {
    const shown = screenText(text);
    if (!isTame(shown)) return wrapped(shown, width);
    // A formula in an answer about shells is a variable.
    if (last?.id !== id) last = { id, view: new Markdown("", 0, 0, theme, undefined, { renderLatex: false, preserveOrderedListMarkers: true }) };
    try {
      last.view.setText(shown);
      return last.view.render(width).map((line) => line.trimEnd());
    } catch {
      last = undefined;
      return wrapped(shown, width);
    }
  };
}

/** Signs of emphasis, links and code in one paragraph, beyond which a parser takes longer than anybody waits. */
const MAX_SIGNS = 600;

/** Whether a parser of markdown reads a text in good time. */
export function isTame(text: string): boolean {
  if (NESTED.test(text)) return false;
  const prose = text.replace(FENCED, "").replace(BULLET, "");
  return prose.split(/\n[^\S\n]*\n/).every((paragraph) => paragraph.length < MAX_SIGNS || count(paragraph) <= MAX_SIGNS);
}

const NESTED = /^[^\S\n]*(?:(?:[-+*>]|\d{1,9}[.)])[^\S\n]*){24}/m;
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm;
const BULLET = /^[^\S\n]*[-+*] /gm;

function count(paragraph: string): number {
  return paragraph.match(/[*_`~[<]/g)?.length ?? 0;
}
