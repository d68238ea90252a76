import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { classifyError } from "../../../../core/models/errors/classify-error.ts";
import { bounded, boundedFetch } from "../../../../core/models/providers/bounded-fetch.ts";

const limits = { all: 1_000, line: 100, refusal: 50 };

/** A body of the same chunk for ever, and how many of them were asked for. */
function endless(chunk: string, init: ResponseInit = {}) {
  const seen = { chunks: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.chunks++;
      controller.enqueue(Buffer.from(chunk));
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  return { seen, response: bounded(new Response(body, init), limits) };
}

describe("bounded()", () => {
  it("leaves a response as it is that keeps within the limits", async () => {
    const text = `${"x".repeat(99)}\n`.repeat(10);
    const response = bounded(new Response(text, { headers: { a: "b" } }), limits);
    expect(response.headers.get("a")).toBe("b");
    expect(await response.text()).toBe(text);
  });

  it.each([
    ["has no end", "data: more\n\n"],
    ["is one line without an end", "x".repeat(30)],
  ])("gives a response up that %s, and it is not asked for again", async (_what, chunk) => {
    const { response, seen } = endless(chunk);
    const failure = await response.text().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(classifyError(failure).class).toBe("fatal");
    expect(seen.chunks).toBeLessThan(200);
  });

  it("ends with the line that says so, also where the server keeps the connection", { timeout: 20_000 }, async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\ndata: [DONE]\n\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    expect(await (await boundedFetch(`http://127.0.0.1:${port}/`)).text()).toContain("[DONE]");
  });

  it("cuts what a refusal says without an end, and reads the beginning", async () => {
    const { response, seen } = endless("no ", { status: 400, statusText: "Bad" });
    expect(await response.text()).toBe(`${"no ".repeat(16)}no`);
    expect(response.statusText).toBe("Bad");
    expect(seen.chunks).toBeLessThan(100);
  });
});
