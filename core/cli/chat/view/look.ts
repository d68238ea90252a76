import type { EditorTheme, MarkdownTheme } from "@earendil-works/pi-tui";
import type { Style } from "../../stdio.ts";

export type Paint = (style: Style, text: string) => string;

/** How things are shown now. */
export type Look = {
  paint: Paint;
  /** Columns. */
  width: number;
  /** Milliseconds since 1970. */
  now: number;
  /** Results and thinking are shown whole. */
  expanded: boolean;
  /** Lines of what a tool prints while it runs; some unless said. */
  liveLines?: number;
};

export function markdownTheme(paint: Paint): MarkdownTheme {
  const as = (style: Style) => (text: string) => paint(style, text);
  return {
    heading: as(["bold", "cyan"]),
    link: as("underline"),
    linkUrl: as("dim"),
    code: as("cyan"),
    codeBlock: as("cyan"),
    codeBlockBorder: as("dim"),
    quote: as("italic"),
    quoteBorder: as("dim"),
    hr: as("dim"),
    listBullet: as("cyan"),
    bold: as("bold"),
    italic: as("italic"),
    strikethrough: as("strikethrough"),
    underline: as("underline"),
  };
}

export function editorTheme(paint: Paint): EditorTheme {
  const as = (style: Style) => (text: string) => paint(style, text);
  return {
    borderColor: as("dim"),
    selectList: {
      selectedPrefix: as("cyan"),
      selectedText: as(["bold", "cyan"]),
      description: as("dim"),
      scrollInfo: as("dim"),
      noMatch: as("dim"),
    },
  };
}
