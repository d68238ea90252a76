/**
 * The URL that is fetched for what a model wrote, and that rules and a person judge: the two are the same.
 * http becomes https, but where no certificate can be: on this machine, at private addresses, at names without a dot, and at hosts in `plain`.
 * The part after `#`, which no server sees, is left out. Undefined for what is no URL of http or https, or carries a name or password.
 */
export function fetchedUrl(written: string, plain: readonly string[] = []): URL | undefined {
  const url = URL.parse(written.trim());
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (url.username !== "" || url.password !== "" || url.hostname === "") return undefined;
  url.hash = "";
  if (url.protocol === "http:" && !isLocal(url.hostname) && !plain.includes(url.hostname)) url.protocol = "https:";
  return url;
}

/** By the name alone: whether such a host may be reached is decided by the host of plugins, by its address. */
function isLocal(hostname: string): boolean {
  if (hostname.startsWith("[")) return /^\[(::1?\]|::ffff:|f[cde])/.test(hostname);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname))
    return /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(hostname);
  return !hostname.replace(/\.$/, "").includes(".") || /\.(localhost|local|internal|test)\.?$/.test(hostname);
}
