import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** What the server does with one request. The last step is done again for those after it. */
export type ServerStep =
  | { kind: "text"; text: string }
  | { kind: "calls"; calls: readonly { tool: string; input: unknown }[]; text?: string }
  /** The input of a call as it stands, which may be no JSON. */
  | { kind: "raw_call"; tool: string; input: string }
  | { kind: "thinking"; thinking: string; text: string }
  /** Each word after a pause. */
  | { kind: "slow"; text: string; everyMs: number }
  /** The connection is cut after some words. */
  | { kind: "cut"; text: string }
  /** The response ends after some words, without an end of the stream. */
  | { kind: "unfinished"; text: string }
  /** Nothing is ever answered, or nothing after the head. */
  | { kind: "silent"; after: "nothing" | "head" }
  /** Nothing more comes after some words, and the connection stays. */
  | { kind: "stall"; text: string }
  /** Signs of life that are no output, for ever. */
  | { kind: "pings"; everyMs: number }
  | { kind: "status"; status: number; headers?: Record<string, string>; error?: { type?: string; code?: string | null; message: string } }
  | { kind: "page"; html: string }
  | { kind: "redirect"; to: string }
  /** An error within the stream. */
  | { kind: "stream_error"; text: string; type: string; message: string }
  | { kind: "max_tokens"; text: string }
  /** So many bytes of what another step streams, each written alone where that is said; then the connection is cut, or the response ends. */
  | { kind: "bytes"; of: ServerStep; bytes: number; ending: "cut" | "end"; alone?: true };

/** Steps in order, or what a request gets by what it is. */
export type ServerSteps = readonly ServerStep[] | ((request: SeenRequest) => ServerStep);

export type SeenRequest = { path: string; headers: IncomingMessage["headers"]; body: Record<string, unknown> };

export type ModelServer = {
  /** With `/v1`. */
  url: string;
  port: number;
  readonly requests: readonly SeenRequest[];
  /** Connections that were closed by the client before their end. */
  readonly aborted: number;
  close(): Promise<void>;
};

export type Dialect = {
  path: string;
  models: unknown;
  /** Writes the answer of a step that streams. */
  stream(step: ServerStep, send: (data: unknown, event?: string) => void, pause: (ms: number) => Promise<void>): Promise<void>;
  error(error: { type?: string; code?: string | null; message: string }, status: number): unknown;
  /** A sign of life, as it is written; a comment unless said. */
  ping?: string;
};

/** A server on 127.0.0.1 that does to each request what the next step says. */
export async function startModelServer(dialect: Dialect, steps: ServerSteps): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  let aborted = 0;
  const server = createServer((request, response) => {
    response.on("close", () => {
      if (!response.writableFinished) aborted++;
    });
    void answer(request, response).catch(() => response.destroy());
  });

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? "/", "http://server").pathname;
    if (request.method === "GET" && path === "/v1/models") return json(response, 200, dialect.models);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const seen = { path, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
    const step = (typeof steps === "function" ? steps(seen) : steps[Math.min(requests.length, steps.length - 1)]) ?? { kind: "text", text: "ok" };
    requests.push(seen);
    if (path !== dialect.path) return json(response, 404, dialect.error({ type: "not_found_error", message: `There is no ${path}` }, 404));
    switch (step.kind) {
      case "status":
        return json(response, step.status, dialect.error(step.error ?? { message: `Status ${step.status}` }, step.status), step.headers);
      case "redirect":
        response.writeHead(307, { location: step.to }).end();
        return;
      case "page":
        response.writeHead(200, { "content-type": "text/html" }).end(step.html);
        return;
      case "silent":
        if (step.after === "head") response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const send = (data: unknown, event?: string) => void response.write(framed(data, event));
    if (step.kind === "pings") {
      for (; !response.destroyed; await sleep(step.everyMs)) response.write(dialect.ping ?? ": still here\n\n");
      return;
    }
    if (step.kind === "bytes") {
      let text = "";
      await dialect.stream(
        step.of,
        (data, event) => (text += framed(data, event)),
        async () => {},
      );
      const all = Buffer.from(text).subarray(0, step.bytes);
      if (step.alone === true) {
        response.socket?.setNoDelay(true);
        for (const byte of all) {
          response.write(Buffer.of(byte));
          await new Promise((resolve) => setImmediate(resolve));
        }
      } else response.write(all);
      // What was written has to be on its way first.
      if (step.ending === "cut") await sleep(20);
      return void (step.ending === "cut" ? response.destroy() : response.end());
    }
    await dialect.stream(step, send, (ms) => sleep(ms));
    if (step.kind === "stall") return;
    if (step.kind === "cut") {
      // What was written has to be on its way first.
      await sleep(20);
      response.destroy();
    } else response.end();
  };

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    get aborted() {
      return aborted;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function framed(data: unknown, event: string | undefined): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

export function textOf(step: ServerStep): string {
  return "text" in step ? (step.text ?? "") : "";
}

/** Whether an answer never comes to its end. */
export function breaksOff({ kind }: ServerStep): boolean {
  return ["cut", "unfinished", "stream_error", "stall"].includes(kind);
}

/** Words of a text, with the blanks between. */
export function pieces(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}
