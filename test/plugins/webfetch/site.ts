import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;
export type Site = {
  url: string;
  port: number;
  /** What answers a path; the rest is not found. */
  handlers: Record<string, Handler>;
  /** Paths that were asked for, in order. */
  seen: string[];
  headers: IncomingMessage["headers"][];
  close(): Promise<void>;
};

/** A server on this machine. */
export async function site(): Promise<Site> {
  const handlers: Site["handlers"] = {};
  const seen: string[] = [];
  const headers: Site["headers"] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    seen.push(path);
    headers.push(request.headers);
    const handler = handlers[path.split("?")[0] ?? ""];
    if (handler === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
    else handler(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    handlers,
    seen,
    headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function gives(body: string | Buffer, type?: string, more: Record<string, string> = {}): Handler {
  return (_request, response) => response.writeHead(200, { ...(type === undefined ? {} : { "content-type": type }), ...more }).end(body);
}

export function redirects(to: string, status = 302): Handler {
  return (_request, response) => response.writeHead(status, { location: to }).end();
}
