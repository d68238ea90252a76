import { posix } from "node:path";

/**
 * Whether a URL is what a pattern names: the origin is compared whole and the path by its parts, as the URL parser reads them.
 * `https://h/a` is that page, `https://h/a/*` and `https://h/a/**` all below, `https://h*` the origin, `https://*.h/*` its subdomains.
 */
export function matchUrl(pattern: string, value: string, broad: boolean): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return pattern === value || (broad && pattern.endsWith("*") && value.startsWith(pattern.slice(0, -1)));
  if (/^https?:\/\/\*+$/.test(pattern)) return pattern.startsWith(url.protocol);
  const stem = pattern.replace(/\*+$/, "");
  const open = stem !== pattern;
  return broad ? isAbout(stem, open, url) : covers(stem, open, url);
}

function covers(stem: string, open: boolean, url: URL): boolean {
  const named = URL.canParse(stem) ? new URL(stem) : undefined;
  if (named === undefined || named.protocol !== url.protocol || named.port !== url.port || !isHost(named.hostname, url.hostname)) return false;
  if (!open) return named.pathname === url.pathname && (named.search === "" || named.search === url.search);
  if (named.search !== "") return url.pathname === named.pathname && url.search.startsWith(named.search);
  // A server may read an encoded slash as one, and go up by what stands beside it.
  if (named.pathname !== "/" && /%2f|%5c/i.test(url.pathname)) return false;
  return url.pathname.startsWith(named.pathname) || `${url.pathname}/` === named.pathname;
}

/** What denies or asks is about a place however it is spelled: `http` for `https`, encoded, with slashes more or less. */
function isAbout(stem: string, open: boolean, url: URL): boolean {
  const place = stem.replace(/^\*:\/\//, "");
  const bare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(place);
  if (bare && open && url.href.startsWith(place)) return true;
  const whole = !place.replace(/^[^/]*:\/\//, "").includes("/");
  return (bare ? [place, `https://${place}`] : [place])
    .filter((text) => URL.canParse(text))
    .map((text) => new URL(text))
    .some((named) => isOrigin(named, url) && (whole || isPath(named, open, url)));
}

function isOrigin(named: URL, url: URL): boolean {
  // What is said of https is said of http, which leads there; plain http may be denied alone.
  const protocol = named.protocol === url.protocol || (named.protocol === "https:" && url.protocol === "http:");
  return protocol && named.port === url.port && isHost(named.hostname, url.hostname.replace(/\.$/, ""));
}

function isHost(named: string, host: string): boolean {
  return named.startsWith("*.") ? host.length > named.length - 1 && host.endsWith(named.slice(1)) : host === named;
}

function isPath(named: URL, open: boolean, url: URL): boolean {
  if (named.search !== "" && !(open ? url.search.startsWith(named.search) : url.search === named.search)) return false;
  const more = open && named.search === "";
  return spellings(named.pathname).some((wanted) => spellings(url.pathname).some((path) => fits(more ? `${wanted}*` : wanted, more, path)));
}

function fits(pattern: string, more: boolean, path: string): boolean {
  const ends = more ? [path, `${path}/`] : [path, path.endsWith("/") ? path.slice(0, -1) : `${path}/`];
  return ends.some((each) => fitsText(pattern, each));
}

/** The path as it is written, and as a server may read it. */
function spellings(path: string): string[] {
  try {
    return [path, posix.normalize(decodeURIComponent(path).replaceAll("\\", "/"))];
  } catch {
    return [path, posix.normalize(path)];
  }
}

/** Text against a pattern in which `*` stands for any text. */
function fitsText(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
