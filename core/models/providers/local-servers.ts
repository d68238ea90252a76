import { get } from "node:http";
import * as z from "zod/mini";
import type { ModelsConfig } from "../models-config.ts";
import { isLoopback, knownProviders, localUrl } from "./provider-table.ts";

export type LocalServer = { provider: string; url: string; models: readonly LocalModel[] };
export type LocalModel = { name: string; contextWindow: number | null };

const TIMEOUT_MS = 300;
const MAX_BYTES = 1_000_000;

const Size = z.optional(z.catch(z.nullable(z.number().check(z.int(), z.minimum(1))), null));
const Listed = z.object({
  data: z.array(
    z.looseObject({
      id: z.string().check(z.minLength(1), z.maxLength(300)),
      max_model_len: Size,
      context_length: Size,
      meta: z.optional(z.catch(z.nullable(z.looseObject({ n_ctx: Size })), null)),
    }),
  ),
});

/** Model servers on this machine, asked all at once and only there. Call it when the user wants to know, never on the side. */
export async function findLocalServers(ports: Readonly<Record<string, number>> = knownPorts()): Promise<LocalServer[]> {
  const found = await Promise.all(Object.entries(ports).map(([provider, port]) => ask(provider, port)));
  return found.filter((server) => server !== undefined);
}

/** Ports of this machine where servers may be: the usual ones, and those that the config names. */
export function localPorts({ providers = {} }: ModelsConfig): Record<string, number> {
  const named = Object.entries(providers).flatMap(([name, { url }]) => {
    if (url === undefined || !/^http:.*\/v1\/?$/.test(url) || !isLoopback(url)) return [];
    return [[name, Number(new URL(url).port || 80)] as const];
  });
  return { ...knownPorts(), ...Object.fromEntries(named) };
}

function knownPorts(): Record<string, number> {
  return Object.fromEntries(Object.entries(knownProviders).flatMap(([name, { port }]) => (port === undefined ? [] : [[name, port]])));
}

async function ask(provider: string, port: number): Promise<LocalServer | undefined> {
  const text = await read(port).catch(() => undefined);
  const listed = text === undefined ? undefined : parse(text);
  if (listed === undefined) return undefined;
  const models = listed.data.map(({ id, max_model_len, context_length, meta }) => ({
    name: id,
    contextWindow: max_model_len ?? context_length ?? meta?.n_ctx ?? null,
  }));
  return { provider, url: localUrl(port), models };
}

function parse(text: string): z.infer<typeof Listed> | undefined {
  try {
    return Listed.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** By `node:http` and an agent of its own, so that no proxy of the environment is asked. */
function read(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path: "/v1/models", agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("error", reject);
      if (response.statusCode !== 200) return void request.destroy(new Error(`status ${response.statusCode}`));
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_BYTES) request.destroy(new Error("too long"));
      });
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    request.on("error", reject);
  });
}
