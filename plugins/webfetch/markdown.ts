import { streamHtmlToMarkdown } from "@mdream/js/core";
import { nextTurn } from "../files/next-turn.ts";
import { CHUNK_CHARS, plainText } from "./plain-text.ts";

export type MarkdownOptions = {
  /** Where links of the page start. */
  origin: string;
  /** Milliseconds after which the rest is not worth it. */
  budgetMs: number;
  signal: Pick<AbortSignal, "throwIfAborted">;
};

/** Characters without a tag, of which the converter makes one piece: a page with more in a row is no page for it. */
const MAX_RUN_CHARS = 131_072;

/**
 * A page as Markdown, or its plain text where it cannot be made Markdown, or not in time. Other calls have their turns meanwhile.
 * Throws what the signal was aborted with.
 */
export async function markdownOf(html: string, options: MarkdownOptions): Promise<{ text: string; plain: boolean }> {
  const markdown = await converted(html, options).catch(() => undefined);
  options.signal.throwIfAborted();
  return markdown === undefined ? { text: await plainText(html), plain: true } : { text: markdown, plain: false };
}

/** Undefined where it took too long, or would. */
async function converted(page: string, { origin, budgetMs, signal }: MarkdownOptions): Promise<string | undefined> {
  const end = Date.now() + budgetMs;
  const html = withoutData(page);
  let at = 0;
  let late = false;
  const reader = {
    async read() {
      await nextTurn();
      signal.throwIfAborted();
      late = Date.now() > end || at - html.lastIndexOf("<", at) > MAX_RUN_CHARS;
      const value = html.slice(at, at + CHUNK_CHARS);
      at += CHUNK_CHARS;
      return value === "" || late ? { done: true, value: undefined } : { done: false, value };
    },
    releaseLock() {},
  };
  const parts: string[] = [];
  // It asks for nothing of a stream but its reader.
  for await (const part of streamHtmlToMarkdown({ getReader: () => reader } as never, { origin })) parts.push(part.replace(/\n{4,}/g, "\n\n\n"));
  return late ? undefined : parts.join("").trim();
}

/** Embedded data is nothing to read, and may be most of a page. */
function withoutData(html: string): string {
  return html.replace(/(data:[\w/+.-]{1,60};base64,)[\w+/=%]{40,}/g, "$1...");
}
