import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type TestHost, type TestOptions, testHost } from "mortise/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gives, redirects, type Site, site } from "./site.ts";

let config: string;
let here: Site;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  config = await mkdtemp(join(tmpdir(), "mortise-test-"));
  process.env.MORTISE_CONFIG_HOME = config;
  await writeFile(join(config, "config.jsonc"), '{ "allowedPrivateHosts": ["127.0.0.1", "localhost"] }');
  here = await site();
  closing.push(here.close);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  delete process.env.MORTISE_CONFIG_HOME;
  await rm(config, { recursive: true, force: true });
});

/** A host whose user allows what is private on this machine. */
async function open(options: TestOptions = {}): Promise<TestHost> {
  const host = await testHost({ settings: "files", ...options });
  closing.push(host.close);
  return host;
}

const page = `<!doctype html><html><head><title>Guide</title><style>p { color: red }</style></head>
<body><h1>Hello &amp; welcome</h1><p>Read <a href="/more">more</a> or <b>less</b>.</p><script>alert("x")</script>
<ul><li>one</li><li>two</li></ul><pre><code>a &lt; b</code></pre></body></html>`;

describe("webfetch", () => {
  it("gives a page as Markdown, as text, or as it is", async () => {
    const host = await open();
    here.handlers["/page"] = gives(page, "text/html; charset=utf-8");
    const markdown = await host.call("webfetch", { url: `${here.url}/page#part` });
    expect(markdown).toMatchObject({ isError: false, data: { status: 200, url: `${here.url}/page`, type: "text/html", truncated: false } });
    expect(markdown.text).toContain("# Hello & welcome");
    expect(markdown.text).toContain(`[more](${here.url}/more)`);
    expect(markdown.text).toContain("**less**");
    expect(markdown.text).toMatch(/^- one$/m);
    expect(markdown.text).not.toMatch(/alert|color: red/);
    expect((await host.call("webfetch", { url: `${here.url}/page`, format: "text" })).text).toBe(
      "Guide\n\nHello & welcome\n\nRead more or less.\n\none\n\ntwo\n\na < b",
    );
    expect((await host.call("webfetch", { url: `${here.url}/page`, format: "html" })).text).toBe(page);
    expect(here.headers.map(({ accept }) => accept?.split(",")[0])).toEqual(["text/markdown", "text/plain", "text/html"]);
  });

  it.each([
    ["application/json", '{"a":[1,2]}'],
    ["application/vnd.api+json; charset=utf-8", '{"a":1}'],
    ["text/plain", "  as it is\n\n<b>x</b>"],
    ["text/markdown", "# a\n"],
    ["application/xml", "<a><b/></a>"],
    ["image/svg+xml", "<svg></svg>"],
    ["application/octet-stream", "#!/bin/sh\necho hi"],
    [undefined, "plain"],
  ])("gives %s as it is", async (type, body) => {
    const host = await open();
    here.handlers["/x"] = gives(body, type);
    expect((await host.call("webfetch", { url: `${here.url}/x` })).text).toBe(body);
  });

  it("says what an image is, and refuses other binary files with their type and size", async () => {
    const host = await open();
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]);
    here.handlers["/a.png"] = gives(png, "image/png");
    here.handlers["/a.zip"] = gives(png, "application/zip");
    here.handlers["/a"] = gives(png);
    here.handlers["/lies"] = gives(png, "text/html");
    here.handlers["/a.pdf"] = gives("%PDF-1.4", "application/pdf");
    const get = (path: string) => host.call("webfetch", { url: `${here.url}${path}` });
    expect(await get("/a.png")).toMatchObject({ isError: false, text: "[an image, image/png, of 8 bytes: images are not shown]" });
    expect(await get("/a.zip")).toMatchObject({ isError: true, text: expect.stringContaining("is no text but application/zip of 8 bytes.") });
    expect(await get("/a")).toMatchObject({ isError: true, text: expect.stringContaining("unknown type of 8 bytes.") });
    expect(await get("/lies")).toMatchObject({ isError: true, text: expect.stringContaining("text/html of 8 bytes.") });
    expect(await get("/a.pdf")).toMatchObject({ isError: true, text: expect.stringContaining("application/pdf of 8 bytes.") });
  });

  it("says with which status a server refuses, and what it says", async () => {
    const host = await open();
    here.handlers["/down"] = (_request, response) => response.writeHead(503, { "content-type": "text/plain" }).end("x".repeat(5_000));
    here.handlers["/none"] = (_request, response) => response.writeHead(204).end();
    expect(await host.call("webfetch", { url: `${here.url}/gone` })).toMatchObject({
      isError: true,
      text: `${here.url}/gone answered with status 404.\n\n# Not found`,
    });
    const down = await host.call("webfetch", { url: `${here.url}/down` });
    expect(down.text).toMatch(/status 503\.\n\nx{2000}\n\[3000 more characters\]$/);
    expect((await host.call("webfetch", { url: `${here.url}/none` })).text).toBe("[the page is empty]");
  });

  it("reads packed pages, in their charset, and no more than 5 MB of what they unpack to", async () => {
    const host = await open();
    here.handlers["/gz"] = gives(gzipSync("<p>grüße</p>"), "text/html", { "content-encoding": "gzip" });
    here.handlers["/latin"] = gives(Buffer.from("<p>gr\u00fc\u00dfe</p>", "latin1"), "text/html; charset=iso-8859-1");
    here.handlers["/bomb"] = gives(brotliCompressSync(Buffer.alloc(100_000_000, "a ")), "text/plain", { "content-encoding": "br" });
    const get = (path: string) => host.call("webfetch", { url: `${here.url}${path}` }, { outputMode: "full" });
    expect((await get("/gz")).text).toBe("grüße");
    expect((await get("/latin")).text).toBe("grüße");
    const bomb = await get("/bomb");
    expect(bomb).toMatchObject({ isError: false, data: { bytes: 5 * 1024 * 1024, truncated: true } });
    expect(bomb.text).toMatch(/\[only its first 5242880 bytes were read\]$/);
  });

  it("shows a model a part of a long page, and keeps the whole", async () => {
    const host = await open();
    here.handlers["/long"] = gives("line\n".repeat(50_000), "text/plain");
    const record = await host.call("webfetch", { url: `${here.url}/long` });
    expect(record.text.length).toBeLessThan(60_000);
    expect(record.spill).not.toBeNull();
  });

  it("gives up on a server that does not answer, and ends with a cancel", async () => {
    const host = await open();
    here.handlers["/silent"] = () => {};
    here.handlers["/drips"] = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    };
    for (const path of ["/silent", "/drips"]) {
      expect(await host.call("webfetch", { url: `${here.url}${path}`, timeout: 1 })).toMatchObject({
        isError: true,
        text: expect.stringContaining("no answer in 1000 ms"),
      });
      const cancel = new AbortController();
      const running = host.call("webfetch", { url: `${here.url}${path}` }, { signal: cancel.signal });
      setTimeout(() => cancel.abort(), 200);
      expect(await running).toMatchObject({ isError: true, code: "cancelled" });
    }
  });

  it.each([
    [{}],
    [{ url: "" }],
    [{ url: 7 }],
    [{ url: "example.com" }],
    [{ url: "ftp://example.com/" }],
    [{ url: "file:///etc/passwd" }],
    [{ url: "https://user:pass@example.com/" }],
    [{ url: "https://good.example@evil.example/" }],
    [{ url: "https://good.example\\@evil.example/" }],
    [{ url: "https://exa mple.com/" }],
    [{ url: `https://example.com/${"x".repeat(10_000)}` }],
    [{ url: "https://example.com/", format: "pdf" }],
    [{ url: "https://example.com/", timeout: 0 }],
    [{ url: "https://example.com/", timeout: 121 }],
  ])("takes no input that makes no sense (%#)", async (input) => {
    const host = await open({ answer: "allow" });
    expect(await host.call("webfetch", input)).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    expect(host.prompts).toEqual([]);
  });

  it("says what is no host", async () => {
    const host = await open();
    for (const url of ["https://[::1", "https://exa%00mple.com/", "http://999.1.1.1/"]) {
      expect(await host.call("webfetch", { url })).toMatchObject({ isError: true, text: expect.stringContaining("is no URL that can be fetched") });
    }
  });
});

describe("webfetch and permission", () => {
  it("is asked about by the URL that is fetched", async () => {
    const host = await open({ answer: "deny" });
    await host.call("webfetch", { url: "http://Example.com:80/a/../b?q=1#frag" });
    await host.call("webfetch", { url: `${here.url}/x#y` });
    expect(host.prompts.map(({ scopes }) => scopes.map(({ kind, text }) => [kind, text]))).toEqual([
      [["url", "https://example.com/b?q=1"]],
      [["url", `${here.url}/x`]],
    ]);
    expect(here.seen).toEqual([]);
  });

  it("follows a redirect within the origin that a person approved, and names every other", async () => {
    const there = await site();
    closing.push(there.close);
    here.handlers["/moved"] = redirects("/new");
    here.handlers["/new"] = gives("new", "text/plain");
    here.handlers["/away"] = redirects(`${there.url}/page`);
    const host = await open({ answer: "allow" });
    expect((await host.call("webfetch", { url: `${here.url}/moved` })).text).toBe(`new\n\n[redirected to ${here.url}/new]`);
    const away = await host.call("webfetch", { url: `${here.url}/away` });
    expect(away).toMatchObject({ isError: false, data: { redirect: `${there.url}/page` } });
    expect(away.text).toContain(`${here.url}/away redirects to ${there.url}/page\n`);
    expect(there.seen).toEqual([]);
    expect(host.prompts).toHaveLength(2);
  });

  it("goes as far as rules do where a rule allowed the call, and nowhere that one denies", async () => {
    here.handlers["/docs/old"] = redirects("/docs/new");
    here.handlers["/docs/new"] = gives("new", "text/plain");
    here.handlers["/docs/out"] = redirects("/admin");
    here.handlers["/docs/in"] = redirects("/docs/secret/x");
    here.handlers["/admin"] = gives("admin", "text/plain");
    const host = await open({
      answer: "deny",
      rules: [
        { tool: "webfetch", pattern: `${here.url}/docs/*`, effect: "allow" },
        { tool: "webfetch", pattern: `${here.url}/docs/secret/*`, effect: "deny" },
      ],
    });
    const get = (path: string) => host.call("webfetch", { url: `${here.url}${path}` });
    expect((await get("/docs/old")).text).toContain("new");
    expect((await get("/docs/out")).text).toContain(`redirects to ${here.url}/admin`);
    expect(await get("/docs/in")).toMatchObject({ isError: true, text: expect.stringContaining("a rule denies") });
    expect(await get("/docs/secret/x")).toMatchObject({ isError: true, ran: false, code: "denied" });
    expect(here.seen).toEqual(["/docs/old", "/docs/new", "/docs/out", "/docs/in"]);
  });

  it("refuses private addresses that the user did not allow, and redirects to them", async () => {
    await writeFile(join(config, "config.jsonc"), `{ "allowedPrivateHosts": ["127.0.0.1:${here.port}"] }`);
    here.handlers["/meta"] = redirects("http://169.254.169.254/latest/meta-data/");
    here.handlers["/name"] = redirects(`http://localhost:${here.port}/x`);
    here.handlers["/decimal"] = redirects("http://2130706433:1/");
    const host = await open();
    for (const path of ["/meta", "/name", "/decimal"]) {
      expect([path, await host.call("webfetch", { url: `${here.url}${path}` })]).toEqual([
        path,
        expect.objectContaining({ isError: true, text: expect.stringContaining("not public") }),
      ]);
    }
    for (const name of ["localhost", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]", "127.1"]) {
      const record = await host.call("webfetch", { url: `http://${name}:1/` });
      expect([name, record.isError, record.text]).toEqual([name, true, expect.stringContaining("not public")]);
    }
  });
});

describe("webfetch and hostile pages", () => {
  const units = [
    "<",
    "<div>",
    "<b>",
    "<blockquote>",
    "<ul><li>",
    "<table><tr><td>",
    "<!--",
    "</p>",
    "<a b=",
    '<a href="x',
    "&amp;",
    "<pre>",
    "<h1>x",
    "<br>",
    "*_~`[](",
    '<img src="data:image/png;base64,AAAA',
    " ",
    "\n",
    "<script>",
    "<svg><template>",
    "<b><i></b></i>",
  ];
  it("reads them without an end to its slice or memory, and goes on", { timeout: 120_000 }, async () => {
    const host = await open();
    here.handlers["/good"] = gives("<h1>Good</h1>", "text/html");
    for (const unit of units) {
      here.handlers["/bad"] = gives(unit.repeat(Math.ceil(500_000 / unit.length)), "text/html");
      const bad = await host.call("webfetch", { url: `${here.url}/bad` }, { outputMode: "full" });
      expect(bad, `${unit} ${bad.text.slice(0, 300)}`).toMatchObject({ isError: false, code: null });
    }
    expect((await host.call("webfetch", { url: `${here.url}/good` })).text).toBe("# Good");
  });
});
