import type { FetchResponse } from "mortise/sdk";

export type Kind = "html" | "text" | "image" | "binary";

/** Characters in which is looked for what no text has. */
const SNIFFED = 8_192;

/** What a body is: by its type, and by what it holds where that says nothing or too little. */
export function kindOf({ headers, text }: Pick<FetchResponse, "headers" | "text">): Kind {
  const type = mediaType(headers);
  if (/^image\/(?!svg)/.test(type)) return "image";
  if (isBinary(text)) return "binary";
  if (/^(text\/html|application\/xhtml\+xml)$/.test(type)) return "html";
  if (
    /^text\/|[+/](json|xml|yaml)$|^application\/(x-)?(javascript|ecmascript|typescript|ndjson|json.*|yaml|toml|sql|graphql|sh|httpd-php|www-form-urlencoded)$|^image\/svg/.test(
      type,
    )
  )
    return "text";
  // Files of raw text often come as if they were none.
  if (type !== "" && !/^(application\/octet-stream|binary\/octet-stream)$/.test(type)) return "binary";
  return /^\s*(<!doctype html|<html[\s>])/i.test(text) ? "html" : "text";
}

export function mediaType(headers: Readonly<Record<string, string>>): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

function isBinary(text: string): boolean {
  const head = text.slice(0, SNIFFED);
  if (head.includes("\0")) return true;
  const replaced = head.split("\ufffd").length - 1;
  return replaced > 10 && replaced > head.length / 20;
}
