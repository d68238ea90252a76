import { lookup as lookupHost } from "node:dns";
import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { MortiseError } from "../../../sdk/errors.ts";
import { isAllowedPrivate, isPublicAddress } from "./address-guard.ts";
import { bareHost, portOf } from "./host-scope.ts";

export type SendOptions = {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal: AbortSignal;
  allowedPrivateHosts: readonly string[];
};

/** Sends one request and follows nothing. The address that was looked up and found public is the one that is connected to. Throws `net_refused`. */
export async function sendRequest(url: URL, { method, headers, body, signal, allowedPrivateHosts }: SendOptions): Promise<IncomingMessage> {
  const host = bareHost(url);
  const permitted = (address: string) => isPublicAddress(address) || isAllowedPrivate(allowedPrivateHosts, host, Number(portOf(url)), address);
  // An address is not looked up, so it is judged here.
  if (isIP(host) !== 0 && !permitted(host)) throw refused(host, host);

  const lookup: LookupFunction = (name, options, callback) => {
    lookupHost(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "", 0);
      // One private address among public ones is reason enough: it may be the next one's turn.
      const hidden = addresses.find(({ address }) => !permitted(address));
      if (hidden !== undefined) return callback(refused(host, hidden.address), "", 0);
      if (options.all === true) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? "", first?.family ?? 0);
    });
  };

  // Imported at the first request: they bring all of Node's `fetch` along, which would be a third of a start.
  const client = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const request = client.request(url, { method, headers, lookup, signal, agent: false });
    request.once("response", resolve).once("error", reject);
    request.end(body);
  });
}

function refused(host: string, address: string): MortiseError {
  return new MortiseError("net_refused", { seen: host === address ? `${host} is not public` : `${host} is at ${address}, which is not public` });
}
