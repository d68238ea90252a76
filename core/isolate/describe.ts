import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { Manifest } from "../../sdk/wire.ts";
import type { Loss } from "./flights.ts";
import { manifestFaults } from "./manifest-faults.ts";
import type { RunnerMessage } from "./protocol/messages.ts";
import type { Runner } from "./runner.ts";

/** Heap of an isolate that describes, in MB: it holds zod beside the plugin. */
export const DESCRIBE_MB = 128;
const SETUP_SLICE_MS = 1_000;

/** What a plugin said before its setup failed, the stack of what it threw as the last; the `cause` of the failure. */
export const Said = z.object({ said: z.array(z.string()) });

/** Lines of it that are kept. */
const SAID_LINES = 20;

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
  const said: string[] = [];
  const id = runner.describe(
    { callKey: null, known: [], hear, lost: resolve },
    plugin,
    (id) => ({ t: "describe", id, plugin, memoryMb: DESCRIBE_MB, sliceMs: SETUP_SLICE_MS }),
    [code, JSON.stringify(options)],
  );
  return promise;

  function hear(message: RunnerMessage, parts: readonly string[]): void {
    if (message.t === "log") {
      said.push(message.text);
      if (said.length > SAID_LINES) said.shift();
      return;
    }
    const cause: z.infer<typeof Said> = { said };
    if (message.t === "failed") reject(new MortiseError(message.failure.code, { seen: bare(message.failure.message), cause }));
    else if (message.t === "described") resolve(parts[message.manifest] ?? "");
    else throw new RangeError(`A description answered by ${message.t}`);
    runner.land(id);
  }
}

function parseManifest(json: string): Manifest {
  const raw: unknown = JSON.parse(json);
  const seen = manifestFaults(raw);
  if (seen !== undefined) throw new MortiseError("plugin_invalid", { seen });
  const manifest = Manifest.parse(raw);
  const { layers, judges, redactors, autocmds, slots, tools, commands, rules } = manifest;
  if ([layers, judges, redactors, autocmds, slots, tools, commands, rules].every((list) => list.length === 0)) {
    throw new MortiseError("plugin_registers_nothing");
  }
  return manifest;
}

/** The runner's message is a whole sentence already: only what it saw is said again. */
function bare(message: string): string {
  const from = message.indexOf(": ");
  return from < 0 ? "" : message.slice(from + 2).replace(/\. [^.]*\.?$/, "");
}
