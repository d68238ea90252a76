/** Bytes of a page in which browsers look for what it says of its charset. */
const PRESCAN_BYTES = 1_024;

/** The charset of a body: by its BOM, by the header, by what a page says of itself at its beginning; else UTF-8. It may be a name that nobody knows. */
export function charsetOf(body: Uint8Array, contentType: string): string {
  const marked = byMark(body);
  if (marked !== undefined) return marked;
  const named = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  if (named !== undefined) return named;
  if (contentType !== "" && !/html|xml/i.test(contentType)) return "utf-8";
  const head = Buffer.from(body.subarray(0, PRESCAN_BYTES)).toString("latin1");
  const said = /<meta\s[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ?? /^<\?xml\s[^>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  // A page that could be read so far says so in ASCII, whatever it says.
  return said === undefined || /^utf-?16/i.test(said) ? "utf-8" : said;
}

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}
