import { basename } from "node:path";
import { type Packed, packedChars } from "../sdk/wire.ts";
import type { ActiveCall } from "./active-call.ts";
import type { Contexts } from "./contexts.ts";
import type { HostCall } from "./isolate/isolates.ts";

/**
 * What a tool that reads one file asks first. Where that was twice the same but for the path, it is asked for the tool while it is on its way,
 * by the same door and so with the same checks, and the answer comes with the call: a turn less, and no waiting for two processes to wake.
 */
export type Foreseen = {
  /** Notes a request of plugin code. */
  heard(asked: HostCall): void;
  /** Starts the parser for a tool that says it asks it. A request and its answer, as arguments behind those of the tool; nothing where none is foreseen, or it is not answered soon. */
  ahead(call: ActiveCall, input: Readonly<Record<string, unknown>>, callKey: string): Promise<readonly Packed[]>;
};

/** Without effects, and the same whenever it is asked. */
const METHOD = "syntax.query";
/** How often the same was asked before it is foreseen; and how often it is foreseen before the tool is asked again, in calls. */
const SURE = 2;
const CHECKED = 64;
/** Milliseconds that a call waits for the answer. */
const SOON_MS = 250;
const MOST_CHARS = 4_000_000;
const MOST = { kinds: 128, files: 20_000 };

/** Arguments around the path, and how often they were met. Null where they differ from call to call. */
type Pattern = { before: string; after: string; met: number; foreseen: number } | null;

export function createForeseen(contexts: Pick<Contexts, "get">, ask: (asked: HostCall) => Promise<Packed>, warm: () => void): Foreseen {
  const patterns = new Map<string, Pattern>();
  /** Calls whose first request is still to come, with the paths they read. */
  const awaited = new WeakMap<ActiveCall, string>();
  /** Files that were asked about before: what a tool keeps of them is not known. */
  const files = new Set<string>();

  return {
    heard({ callKey, method, args }) {
      const call = contexts.get(callKey)?.call ?? null;
      const path = call === null ? undefined : awaited.get(call);
      if (call === null || path === undefined) return;
      awaited.delete(call);
      learn(kindOf(call, path), method === METHOD ? around(args, path) : undefined);
    },

    async ahead(call, input, callKey) {
      const path = pathOf(call, input);
      const isFirst = path === undefined || isNew(`${call.cwd}\0${path}`);
      // It takes as long to start as the isolate of the tool, which may know a file that it was asked about before.
      if (isFirst && call.tool.parses === true) warm();
      if (path === undefined || !isFirst) return [];
      const pattern = patterns.get(kindOf(call, path));
      if (pattern === undefined || (pattern !== null && (pattern.met < SURE || ++pattern.foreseen % CHECKED === 0))) awaited.set(call, path);
      if (pattern === undefined || pattern === null || awaited.has(call)) return [];
      const args = `${pattern.before}${JSON.stringify(path)}${pattern.after}`;
      const answer = await soon(ask({ plugin: call.tool.plugin, callKey, method: METHOD, args: { json: args, blobs: [] } }), call.deadline.signal);
      return answer === undefined || packedChars(answer) > MOST_CHARS ? [] : [{ json: '"\\u00000"', blobs: [args] }, answer];
    },
  };

  function isNew(file: string): boolean {
    if (files.has(file)) return false;
    files.add(file);
    for (const oldest of files) {
      if (files.size <= MOST.files) break;
      files.delete(oldest);
    }
    return true;
  }

  function learn(kind: string, met: { before: string; after: string } | undefined): void {
    const known = patterns.get(kind);
    if (known === null) return;
    if (met === undefined || (known !== undefined && (known.before !== met.before || known.after !== met.after))) patterns.set(kind, null);
    else patterns.set(kind, { ...met, met: (known?.met ?? 0) + 1, foreseen: known?.foreseen ?? 0 });
    for (const oldest of patterns.keys()) {
      if (patterns.size <= MOST.kinds) break;
      patterns.delete(oldest);
    }
  }
}

/** The path that a tool says it reads. */
function pathOf({ tool: { scopes } }: ActiveCall, input: Readonly<Record<string, unknown>>): string | undefined {
  if (scopes === null || typeof scopes !== "object" || scopes.access !== "read" || !Object.hasOwn(input, scopes.path)) return undefined;
  const path = input[scopes.path];
  return typeof path === "string" ? path : undefined;
}

/** Files with the same ending are asked about alike. */
function kindOf({ tool }: ActiveCall, path: string): string {
  const name = basename(path);
  return JSON.stringify([tool.plugin, tool.hash, tool.name, name.slice(name.lastIndexOf(".") + 1)]);
}

function around({ json, blobs }: Packed, path: string): { before: string; after: string } | undefined {
  if (json === undefined || blobs.length > 0) return undefined;
  const [before = "", after, ...more] = json.split(JSON.stringify(path));
  return after === undefined || more.length > 0 ? undefined : { before, after };
}

/** Undefined where it fails: the tool then asks itself, and is told why. */
async function soon(answer: Promise<Packed>, signal: AbortSignal): Promise<Packed | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const late = () => resolve(undefined);
  const timer = setTimeout(late, SOON_MS);
  signal.addEventListener("abort", late, { once: true });
  try {
    return await Promise.race([answer.catch(() => undefined), promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", late);
  }
}
