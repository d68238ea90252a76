/**
 * Whether a URL is what a pattern names: the origin is compared whole and the path by its parts, as the URL parser reads them.
 * `https://h/a` is that page, `https://h/a/*` and `https://h/a/**` all below, `https://h*` the origin.
 */
export function matchUrl(pattern: string, value: string, broad: boolean): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return pattern === value || (broad && pattern.endsWith("*") && value.startsWith(pattern.slice(0, -1)));
  if (/^https?:\/\/\*+$/.test(pattern)) return pattern.startsWith(url.protocol);
  const stem = pattern.replace(/\*+$/, "");
  const open = stem !== pattern;
  const named = URL.canParse(stem) ? new URL(stem) : undefined;
  if (named === undefined) return broad && stem.split("/")[0] === url.host;
  if (named.origin !== url.origin || (named.origin === "null" && named.protocol !== url.protocol)) return false;
  if (!open) return named.pathname === url.pathname && (named.search === "" || named.search === url.search);
  if (named.search !== "") return url.pathname === named.pathname && url.search.startsWith(named.search);
  return url.pathname.startsWith(named.pathname) || `${url.pathname}/` === named.pathname;
}
