import { createServer, type RequestListener } from "node:http";
import { createServer as createSocket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { findLocalServers } from "../../../../core/models/providers/local-servers.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";

async function listening(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return portOf(server.address());
}

function portOf(address: unknown): number {
  return typeof address === "object" && address !== null && "port" in address ? Number(address.port) : 0;
}

describe("findLocalServers()", () => {
  it("finds what answers as a model server, and nothing else", async () => {
    const models = await startOpenAiServer([]);
    onTestFinished(() => models.close());
    const ports = {
      vllm: models.port,
      page: await listening((_, response) => response.end("<html>hello</html>")),
      missing: await listening((_, response) => response.writeHead(404).end("{}")),
      elsewhere: await listening((_, response) => response.writeHead(302, { location: `${models.url}/models` }).end()),
      endless: await listening((_, response) => void response.end(`{"data":[${'{"id":"x"},'.repeat(200_000)}{"id":"x"}]}`)),
      gone: 1,
    };
    expect(await findLocalServers(ports)).toEqual([{ provider: "vllm", url: models.url, models: [{ name: "fake-1", contextWindow: 4_096 }] }]);
  });

  it("does not wait for a server that says nothing", async () => {
    const server = createSocket(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const begun = performance.now();
    expect(await findLocalServers({ silent: portOf(server.address()) })).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it("sends no key", async () => {
    const seen: unknown[] = [];
    const port = await listening((request, response) => {
      seen.push(request.url, request.headers.authorization);
      response.end('{"data":[{"id":"a","context_length":null}]}');
    });
    expect(await findLocalServers({ ollama: port })).toMatchObject([{ models: [{ name: "a", contextWindow: null }] }]);
    expect(seen).toEqual(["/v1/models", undefined]);
  });
});
