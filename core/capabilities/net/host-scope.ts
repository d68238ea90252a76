const standardPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * Whether a URL's host is inside the scopes of a grant: `api.github.com`, `*.example.com` (below it, not itself), `host:8080`.
 * Without a port only the scheme's own is meant. A malformed scope covers nothing.
 */
export function hostAllowed(url: URL, scopes: true | readonly string[]): boolean {
  return scopes === true || scopes.some((scope) => covers(scope, url));
}

export function portOf(url: URL): string {
  return url.port === "" ? (standardPorts[url.protocol] ?? "") : url.port;
}

/** A host without brackets and the dot that may end it. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function covers(scope: string, url: URL): boolean {
  const below = scope.startsWith("*.");
  const rest = below ? scope.slice(2) : scope;
  if (rest === "" || /[/*?#@\\\s]/.test(rest) || !URL.canParse(`http://${rest}`)) return false;
  const named = new URL(`http://${rest}`);
  // A URL forgets the port 80, so it is read from the text.
  const port = /:(\d+)$/.exec(rest)?.[1] ?? standardPorts[url.protocol];
  if (port === undefined || Number(port) !== Number(portOf(url))) return false;
  return below ? bareHost(url).endsWith(`.${bareHost(named)}`) : bareHost(url) === bareHost(named);
}
