import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { Manifest } from "../../sdk/wire.ts";
import type { Loss } from "./flights.ts";
import type { RunnerMessage } from "./protocol/messages.ts";
import type { Runner } from "./runner.ts";

/** Heap of an isolate that describes, in MB: it holds zod beside the plugin. */
export const DESCRIBE_MB = 128;
const SETUP_SLICE_MS = 1_000;

/** Learns a plugin's manifest from its setup. Throws a MortiseError with what is wrong with the plugin. */
export async function describePlugin(
  runnerOf: () => Runner,
  nextNumber: () => number,
  code: string,
  options: Readonly<Record<string, string | number | boolean>>,
): Promise<Manifest> {
  for (let deaths = 0; ; ) {
    const came = await send(runnerOf(), nextNumber(), code, options);
    if (typeof came === "string") return parseManifest(came);
    if (came.mine) throw new MortiseError(came.code);
    if (++deaths > 1) throw new MortiseError("runner_lost");
  }
}

function send(runner: Runner, plugin: number, code: string, options: object): Promise<string | Loss> {
  const { promise, resolve, reject } = Promise.withResolvers<string | Loss>();
  const id = runner.describe(
    { callKey: null, known: [], hear, lost: resolve },
    plugin,
    (id) => ({ t: "describe", id, plugin, memoryMb: DESCRIBE_MB, sliceMs: SETUP_SLICE_MS }),
    [code, JSON.stringify(options)],
  );
  return promise;

  function hear(message: RunnerMessage, parts: readonly string[]): void {
    if (message.t === "failed") reject(new MortiseError(message.failure.code, { seen: bare(message.failure.message) }));
    else if (message.t === "described") resolve(parts[message.manifest] ?? "");
    else throw new RangeError(`A description answered by ${message.t}`);
    runner.land(id);
  }
}

function parseManifest(json: string): Manifest {
  const raw: unknown = JSON.parse(json);
  const parsed = Manifest.safeParse(raw);
  if (!parsed.success) throw new MortiseError("plugin_invalid", { seen: z.prettifyError(parsed.error) });
  // A field that nobody knows, as a misspelt capability, is not passed over in silence.
  const unknown = differing(raw, parsed.data);
  if (unknown !== undefined) throw new MortiseError("plugin_invalid", { seen: unknown });
  const { layers, judges, redactors, autocmds, slots, tools, commands, rules } = parsed.data;
  if ([layers, judges, redactors, autocmds, slots, tools, commands, rules].every((list) => list.length === 0)) {
    throw new MortiseError("plugin_registers_nothing");
  }
  return parsed.data;
}

/** Where two values differ first, or undefined. */
function differing(first: unknown, second: unknown, path = ""): string | undefined {
  if (typeof first !== "object" || first === null || typeof second !== "object" || second === null) return first === second ? undefined : path;
  const [all, known] = [new Map(Object.entries(first)), new Map(Object.entries(second))];
  for (const name of all.keys()) {
    const found = known.has(name) ? differing(all.get(name), known.get(name), `${path}.${name}`) : `${path}.${name}`;
    if (found !== undefined) return found.replace(/^\./, "");
  }
  return undefined;
}

/** The runner's message is a whole sentence already: only what it saw is said again. */
function bare(message: string): string {
  const from = message.indexOf(": ");
  return from < 0 ? "" : message.slice(from + 2).replace(/\. [^.]*\.?$/, "");
}
