import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { type Bench, bench } from "../../../support/capabilities.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type Site = { server: Server; port: number; url: string; seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] };

const Response = z.object({
  status: z.number(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  text: z.string(),
  bytes: z.number(),
  truncated: z.boolean(),
  redirect: z.optional(z.string()),
});

const sites: Site[] = [];
let b: Bench;
let handlers: Record<string, Handler>;
beforeEach(async () => {
  handlers = {};
  b = await bench({ allowedPrivateHosts: ["127.0.0.0/8", "localhost"] });
});
afterEach(async () => {
  for (const { server } of sites.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await b.close();
});

async function site(): Promise<Site> {
  const seen: Site["seen"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() });
    const handler = handlers[new URL(request.url ?? "/", "http://x").pathname];
    if (handler === undefined) response.end("hello");
    else handler(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const made = { server, port, url: `http://127.0.0.1:${port}`, seen };
  sites.push(made);
  return made;
}

const get = async (url: string, request?: Record<string, unknown>, call = b.call) => Response.parse(await call("net.fetch", url, request));
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => ({ code: "resolved", seen: "" }),
    (error: unknown) => error as { code: string; seen: string },
  );
const redirect =
  (to: string, status = 302): Handler =>
  (_request, response) =>
    response.writeHead(status, { location: to }).end();

describe("net.fetch", () => {
  it("gives status, headers and text", async () => {
    const { url, seen } = await site();
    handlers["/a"] = (_request, response) =>
      response
        .writeHead(404, { "X-Thing": "1", "set-cookie": ["a=1", "b=2"], "content-type": "text/plain; charset=iso-8859-1" })
        .end(Buffer.from([0xe4]));
    expect(await get(`${url}/a?q=1`)).toEqual({
      status: 404,
      url: `${url}/a?q=1`,
      headers: expect.objectContaining({ "x-thing": "1", "set-cookie": "a=1, b=2" }),
      text: "ä",
      bytes: 1,
      truncated: false,
    });
    await get(`${url}/b`, { method: "POST", headers: { "X-Mine": "yes", "Content-Type": "application/json" }, body: '{"a":"ä"}' });
    expect(seen[1]).toMatchObject({
      method: "POST",
      body: '{"a":"ä"}',
      headers: { "x-mine": "yes", "content-type": "application/json", "content-length": "10" },
    });
  });

  it("unpacks what comes packed, and never more than its limit", async () => {
    const { url } = await site();
    const text = "zip ".repeat(1_000);
    for (const [encoding, packed] of [
      ["gzip", gzipSync(text)],
      ["deflate", deflateSync(text)],
      ["br", brotliCompressSync(text)],
    ] as const) {
      handlers[`/${encoding}`] = (_request, response) => response.writeHead(200, { "content-encoding": encoding }).end(packed);
      expect((await get(`${url}/${encoding}`)).text).toBe(text);
    }
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    handlers["/bomb"] = (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    const before = process.memoryUsage().rss;
    const result = await get(`${url}/bomb`, { maxBytes: 1_000 });
    expect([result.text.length, result.truncated]).toEqual([1_000, true]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    handlers["/broken"] = (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip");
    expect(await failure(get(`${url}/broken`))).toMatchObject({ code: "net_failed" });
  });

  it("refuses a packing it did not ask for", async () => {
    const { url } = await site();
    for (const encoding of ["zstd", "gzip, gzip", "constructor"]) {
      handlers["/packed"] = (_request, response) => response.writeHead(200, { "content-encoding": encoding }).end("x");
      expect(await failure(get(`${url}/packed`))).toMatchObject({ code: "net_failed", seen: expect.stringContaining(encoding) });
    }
    handlers["/packed"] = (_request, response) => response.writeHead(200, { "content-encoding": "Identity" }).end("x");
    expect((await get(`${url}/packed`)).text).toBe("x");
  });

  it("reads a page in the charset that it says of itself, and in UTF-8 where nobody knows its charset", async () => {
    const { url } = await site();
    handlers["/page"] = (_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(Buffer.from('<meta charset="windows-1252">\u0080 gr\u00fc\u00dfe', "latin1"));
    expect((await get(`${url}/page`)).text).toContain("\u20ac grüße");
    handlers["/page"] = (_request, response) => response.writeHead(200, { "content-type": "text/html; charset=martian" }).end("grüße");
    expect((await get(`${url}/page`)).text).toBe("grüße");
  });

  it("stops reading at its limit, at a character border", async () => {
    const { url } = await site();
    handlers["/endless"] = (_request, response) => {
      const more = () => {
        while (response.write("ä".repeat(10_000)));
      };
      response.on("drain", more).on("close", () => response.removeAllListeners("drain"));
      more();
    };
    expect(await get(`${url}/endless`, { maxBytes: 7 })).toMatchObject({ text: "äää", truncated: true });
    expect((await get(`${url}/x`, { maxBytes: 5 })).truncated).toBe(false);
  });

  it("gives up in time, and on a cancel", async () => {
    const { url } = await site();
    handlers["/silent"] = () => {};
    handlers["/slow"] = (_request, response) => void response.write("begin");
    for (const path of ["/silent", "/slow"]) {
      expect(await failure(get(`${url}${path}`, { timeoutMs: 100 }))).toMatchObject({
        code: "net_failed",
        seen: expect.stringContaining("no answer in 100 ms"),
      });
      const abort = new AbortController();
      const running = failure(get(`${url}${path}`, {}, b.as({ call: { signal: abort.signal } })));
      setTimeout(() => abort.abort(), 50);
      expect(await running).toMatchObject({ code: "cancelled" });
    }
  });

  it("says why a request failed", async () => {
    const { port, server, url } = await site();
    handlers["/cut"] = (request) => request.socket.destroy();
    expect(await failure(get(`${url}/cut`))).toMatchObject({ code: "net_failed", seen: `http://127.0.0.1:${port}: ECONNRESET` });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await failure(get(`http://localhost:${port}/`))).toMatchObject({ code: "net_failed", seen: `http://localhost:${port}: ECONNREFUSED` });
  });

  it("refuses what is no request of http or https", async () => {
    for (const url of ["file:///etc/passwd", "ftp://127.0.0.1/", "data:text/plain,x", "http://user:pass@127.0.0.1/", "http://user@127.0.0.1/"])
      expect(await failure(get(url))).toMatchObject({ code: "net_refused" });
    for (const [url, request] of [
      ["", {}],
      ["/relative", {}],
      ["http://x", { method: "CONNECT" }],
      ["http://x", { method: "get" }],
      ["http://x", { headers: { Host: "other" } }],
      ["http://x", { headers: { "Transfer-Encoding": "chunked" } }],
      ["http://x", { headers: { a: "b\r\nc: d" } }],
      ["http://x", { headers: { "a b": "c" } }],
      ["http://x", { timeoutMs: 200_000 }],
    ] as const) {
      expect([url, request, (await failure(get(url, request))).code]).toEqual([url, request, "wrong_argument"]);
    }
  });
});

describe("net.fetch and rules", () => {
  /** A tool that runs, and rules that say this of what begins with a URL, and nothing of the rest. */
  const judged = async (rules: Record<string, "allow" | "ask" | "deny">) => {
    const asked: [string, string][] = [];
    const made = await bench({
      allowedPrivateHosts: ["127.0.0.0/8"],
      judgeUrl: async (url, { tool }) => {
        asked.push([tool, url]);
        return rules[Object.keys(rules).find((start) => url.startsWith(start)) ?? ""] ?? "uncovered";
      },
    });
    benches.push(made);
    return { asked, call: made.as({ call: { running: { tool: "webfetch" } } }), outside: made.as({ call: {} }) };
  };
  const benches: Bench[] = [];
  afterEach(async () => {
    for (const made of benches.splice(0)) await made.close();
  });

  it("goes nowhere that a rule denies the tool, at the first hop and at every other", async () => {
    const { url, seen } = await site();
    handlers["/away"] = redirect("/secret/x");
    const { call, asked, outside } = await judged({ [`${url}/secret`]: "deny" });
    for (const redirects of ["follow", "permitted"]) {
      expect(await failure(get(`${url}/secret/y`, { redirects }, call))).toMatchObject({
        code: "net_refused",
        seen: `a rule denies ${url}/secret/y`,
      });
      expect(await failure(get(`${url}/away`, { redirects }, call))).toMatchObject({ code: "net_refused" });
    }
    expect(seen.map((request) => request.url)).toEqual(["/away", "/away"]);
    expect(asked.every(([tool]) => tool === "webfetch")).toBe(true);
    expect(await get(`${url}/away`, {}, outside)).toMatchObject({ status: 200, url: `${url}/secret/x` });
  });

  it("follows a redirect on what was approved only to the same origin or where a rule allows", async () => {
    const [first, second] = [await site(), await site()];
    handlers["/same"] = redirect("/there");
    handlers["/away"] = redirect(`${second.url}/there?q#f`);
    handlers["/asked"] = redirect("/login");
    const { call } = await judged({ [`${first.url}/login`]: "ask" });
    const permitted = { redirects: "permitted" };
    expect(await get(`${first.url}/same`, permitted, call)).toMatchObject({ status: 200, url: `${first.url}/there`, text: "hello" });
    expect(await get(`${first.url}/away`, permitted, call)).toEqual(
      expect.objectContaining({ status: 302, url: `${first.url}/away`, redirect: `${second.url}/there?q#f`, text: "", bytes: 0, truncated: false }),
    );
    expect(await get(`${first.url}/asked`, permitted, call)).toMatchObject({ status: 302, redirect: `${first.url}/login` });
    expect(second.seen).toEqual([]);
    const allowing = await judged({ [second.url]: "allow" });
    expect(await get(`${first.url}/away`, permitted, allowing.call)).toMatchObject({ status: 200, url: `${second.url}/there?q#f` });
    expect(await get(`${first.url}/away`, {}, call)).toMatchObject({ status: 200 });
  });

  it("follows a redirect on what a rule allowed as far as rules go", async () => {
    const { url } = await site();
    handlers["/docs/old"] = redirect("/docs/new");
    handlers["/docs/out"] = redirect("/admin");
    const { call } = await judged({ [`${url}/docs/`]: "allow" });
    expect(await get(`${url}/docs/old`, { redirects: "permitted" }, call)).toMatchObject({ status: 200, url: `${url}/docs/new` });
    expect(await get(`${url}/docs/out`, { redirects: "permitted" }, call)).toMatchObject({ status: 302, redirect: `${url}/admin` });
  });

  it("never answers with a redirect to what it would refuse", async () => {
    const { url } = await site();
    handlers["/file"] = redirect("file:///etc/passwd");
    handlers["/user"] = redirect("http://user:pass@other.example/");
    const { call } = await judged({});
    for (const path of ["/file", "/user"])
      expect(await failure(get(`${url}${path}`, { redirects: "permitted" }, call))).toMatchObject({ code: "net_refused" });
  });
});

describe("net.fetch and redirects", () => {
  it("follows them, and changes the method as browsers do", async () => {
    const { url, seen } = await site();
    handlers["/see"] = redirect("/end", 303);
    handlers["/found"] = redirect("end?x", 302);
    handlers["/keep"] = redirect("/end", 307);
    expect(await get(`${url}/see`, { method: "POST", body: "b" })).toMatchObject({ status: 200, url: `${url}/end`, text: "hello" });
    await get(`${url}/found`, { method: "POST", body: "b", headers: { "Content-Type": "text/plain" } });
    await get(`${url}/keep`, { method: "POST", body: "b" });
    expect(seen.map(({ method, url: path, body }) => [method, path, body])).toEqual([
      ["POST", "/see", "b"],
      ["GET", "/end", ""],
      ["POST", "/found", "b"],
      ["GET", "/end?x", ""],
      ["POST", "/keep", "b"],
      ["POST", "/end", "b"],
    ]);
    expect(seen[3]?.headers["content-type"]).toBeUndefined();
  });

  it("has an end", async () => {
    const { url, seen } = await site();
    handlers["/loop"] = redirect("/loop");
    expect(await failure(get(`${url}/loop`))).toMatchObject({ code: "net_failed" });
    expect(seen).toHaveLength(11);
  });

  it("tells another origin no credentials", async () => {
    const [first, second] = [await site(), await site()];
    handlers["/away"] = redirect(`${second.url}/there`);
    handlers["/home"] = redirect("/there");
    const headers = { Authorization: "Bearer x", Cookie: "a=1", "X-Api-Key": "k", "X-Auth-Token": "t", "X-Plain": "p" };
    await get(`${first.url}/away`, { headers });
    expect(second.seen[0]?.headers).toMatchObject({ "x-plain": "p" });
    for (const name of ["authorization", "cookie", "x-api-key", "x-auth-token"]) expect(second.seen[0]?.headers).not.toHaveProperty(name);
    await get(`${first.url}/home`, { headers });
    expect(first.seen[2]?.headers).toMatchObject({ authorization: "Bearer x", cookie: "a=1" });
  });

  it("asks the grant at each hop", async () => {
    const [first, second] = [await site(), await site()];
    handlers["/away"] = redirect(`${second.url}/there`);
    const call = b.as({ granted: { net: [`127.0.0.1:${first.port}`] } });
    expect(await get(`${first.url}/x`, {}, call)).toMatchObject({ status: 200 });
    expect(await failure(get(`${first.url}/away`, {}, call))).toMatchObject({
      code: "not_granted",
      seen: `net to 127.0.0.1:${second.port}, asked for by probe`,
    });
    expect(second.seen).toEqual([]);
  });

  it("refuses one to a private address, and one to another scheme", async () => {
    const { url, port } = await site();
    const narrow = await bench({ allowedPrivateHosts: [`127.0.0.1:${port}`] });
    try {
      handlers["/private"] = redirect(`http://localhost:${port}/there`);
      handlers["/metadata"] = redirect("http://169.254.169.254/latest/meta-data");
      handlers["/file"] = redirect("file:///etc/passwd");
      handlers["/user"] = redirect("http://user:pass@127.0.0.1/");
      for (const path of ["/private", "/metadata", "/file", "/user"])
        expect([path, (await failure(get(`${url}${path}`, {}, narrow.call))).code]).toEqual([path, "net_refused"]);
    } finally {
      await narrow.close();
    }
  });
});

describe("net.fetch and private addresses", () => {
  it("refuses them, however they are spelled, unless the user allows them", async () => {
    const { port, seen } = await site();
    const closed = await bench();
    try {
      for (const host of [
        "127.0.0.1",
        "localhost",
        "127.1",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::]",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "[fe80::1]",
        "[fd00::1]",
      ]) {
        expect([host, (await failure(get(`http://${host}:${port}/`, { timeoutMs: 5_000 }, closed.call))).code]).toEqual([host, "net_refused"]);
      }
      expect(seen).toEqual([]);
    } finally {
      await closed.close();
    }
  });

  it("allows what the user names: a name, a name with its port, a network", async () => {
    const { port } = await site();
    for (const [allowed, host, code] of [
      ["localhost", "localhost", "resolved"],
      ["localhost", "127.0.0.1", "net_refused"],
      [`localhost:${port}`, "localhost", "resolved"],
      ["localhost:1", "localhost", "net_refused"],
      ["127.0.0.0/8", "localhost", "resolved"],
      ["127.0.0.0/8", "127.0.0.1", "resolved"],
      ["10.0.0.0/8", "127.0.0.1", "net_refused"],
      ["127.0.0.0/99", "127.0.0.1", "net_refused"],
      ["*", "127.0.0.1", "net_refused"],
    ] as const) {
      const some = await bench({ allowedPrivateHosts: [allowed, "::1/128"] });
      expect([allowed, host, (await failure(get(`http://${host}:${port}/`, {}, some.call))).code]).toEqual([allowed, host, code]);
      await some.close();
    }
  });
});
