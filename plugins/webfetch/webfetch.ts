import { definePlugin, type FetchResponse, type ToolCall, type ToolInputs, type ToolResult } from "mortise/sdk";
import { type Failed, failed, refused } from "../files/failed.ts";
import { kindOf, mediaType } from "./body.ts";
import { description } from "./description.ts";
import { markdownOf } from "./markdown.ts";
import { plainText } from "./plain-text.ts";
import { fetchedUrl } from "./url.ts";

type Format = "markdown" | "text" | "html";
type Input = ToolInputs["webfetch"];

const DEFAULT_TIMEOUT_S = 30;
const MAX_TIMEOUT_S = 120;
/** What making text of a page may take beyond fetching it, in milliseconds. */
const CONVERT_MS = 10_000;
const MAX_BYTES = 5 * 1024 * 1024;
/** Characters shown of what a server says beside an error. */
const ERROR_CHARS = 2_000;

const accepts: Readonly<Record<Format, string>> = {
  markdown: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5",
  text: "text/plain, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.5",
  html: "text/html, application/xhtml+xml;q=0.9, */*;q=0.5",
};

export default definePlugin(
  { name: "webfetch", description: "Fetches web pages", capabilities: { net: true }, memoryMb: 256, options: { plainHttp: "" } },
  (api) => {
    /** Hosts of the user's that speak no https. */
    const plain = String(api.options.plainHttp)
      .split(/[\s,]+/)
      .filter((host) => host !== "");

    api.registerTool<Input>({
      name: "webfetch",
      kind: "fetch",
      capability: "net",
      description,
      input: {
        type: "object",
        properties: {
          url: {
            type: "string",
            maxLength: 8_192,
            // No blank, and no name or password in front of the host.
            pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]+([/?#]\\S*)?$",
            description: "The whole URL, with https://",
          },
          format: { enum: ["markdown", "text", "html"], description: "What an HTML page is given as; markdown unless said" },
          timeout: { type: "integer", minimum: 1, maximum: MAX_TIMEOUT_S, description: `Seconds it may take; ${DEFAULT_TIMEOUT_S} unless said` },
        },
        required: ["url"],
      },
      timeoutMs: MAX_TIMEOUT_S * 1_000 + CONVERT_MS,
      scopes: ({ url }) => ({ scopes: [{ kind: "url", url: fetchedUrl(url, plain)?.href ?? url }] }),
      run: (input, call) => webfetch(input, call).catch(refused),
    });

    const webfetch = async ({ url: written, format = "markdown", timeout = DEFAULT_TIMEOUT_S }: Input, call: ToolCall): Promise<ToolResult> => {
      const url = fetchedUrl(written, plain);
      if (url === undefined)
        return failed(`${written.slice(0, 200)} is no URL that can be fetched. Give one of http or https, without a name or password in it.`);
      const response = await api.net
        .fetch(url.href, { headers: { accept: accepts[format] }, timeoutMs: timeout * 1_000, maxBytes: MAX_BYTES, redirects: "permitted" })
        .catch((error: unknown) => withUpgrade(error, written, url));
      if ("isError" in response) return response;
      return { ...(await result(response, url.href, format, call)), data: dataOf(response) };
    };
  },
);

async function result(response: FetchResponse, asked: string, format: Format, call: ToolCall): Promise<ToolResult> {
  const { status, url, redirect } = response;
  if (redirect !== undefined) {
    return {
      text: `${asked} redirects to ${redirect}\nIt was not followed, since it leads elsewhere than this call may go. To read it, call webfetch with that URL.`,
    };
  }
  const { text, notes, refused: none } = await bodyText(response, format, call);
  if (status < 200 || status >= 300)
    return failed([`${url} answered with status ${status}.`, shortened(text)].filter((part) => part !== "").join("\n\n"));
  if (none) return failed(text);
  const all = [...(url === asked ? [] : [`redirected to ${url}`]), ...notes];
  return { text: [text === "" ? "[the page is empty]" : text, ...(all.length === 0 ? [] : [`[${all.join("; ")}]`])].join("\n\n") };
}

type Shown = { text: string; notes: string[] /** It is nothing that can be shown. */; refused?: true };

async function bodyText(response: FetchResponse, format: Format, call: ToolCall): Promise<Shown> {
  const { text, bytes, truncated, headers } = response;
  const size = truncated ? `more than ${bytes} bytes` : `${bytes} bytes`;
  const type = mediaType(headers) || "unknown type";
  const cut = truncated ? [`only its first ${bytes} bytes were read`] : [];
  switch (kindOf(response)) {
    case "image":
      return { text: `[an image, ${type}, of ${size}: images are not shown]`, notes: [] };
    case "binary":
      return { text: `${response.url} is no text but ${type} of ${size}. Download it with a command to look at it.`, notes: [], refused: true };
    case "text":
      return { text: text.replace(/^\ufeff/, ""), notes: cut };
    case "html":
      if (format === "html") return { text, notes: cut };
      if (format === "text") return { text: await plainText(text), notes: cut };
      return markdown(response, call, cut);
  }
}

async function markdown({ text, url }: FetchResponse, { deadlineMs, signal }: ToolCall, cut: string[]): Promise<Shown> {
  const { origin } = new URL(url);
  const made = await markdownOf(text, { origin, budgetMs: Math.min(CONVERT_MS / 2, deadlineMs), signal });
  return { text: made.text, notes: made.plain ? [...cut, "shown as plain text, since no Markdown could be made of it in time"] : cut };
}

function dataOf({ status, url, headers, bytes, truncated, redirect }: FetchResponse) {
  return { status, url, type: mediaType(headers), bytes, truncated, ...(redirect === undefined ? {} : { redirect }) };
}

function shortened(text: string): string {
  return text.length <= ERROR_CHARS ? text : `${text.slice(0, ERROR_CHARS).toWellFormed()}\n[${text.length - ERROR_CHARS} more characters]`;
}

/** Where http was changed, that may be why it failed. */
function withUpgrade(error: unknown, written: string, url: URL): Failed {
  const { text } = refused(error);
  const changed = url.protocol === "https:" && /^http:/i.test(written.trim());
  return failed(changed ? `${text} (http was changed to https.)` : text);
}
