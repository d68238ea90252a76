import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { createIsolates } from "../../../core/isolate/create-isolates.ts";
import type {
  Answer,
  ChainLayer,
  ChainRequest,
  ChainResult,
  HostCall,
  InvokeRequest,
  InvokeResult,
  IsolateEvent,
  Isolates,
  IsolatesOptions,
  Limits,
} from "../../../core/isolate/isolates.ts";
import { type Packed, pack, unpack } from "../../../sdk/wire.ts";

export const limits: Limits = { windowMs: 1_000, sliceMs: 250, budgetMs: 1_000 };

export const node24 = fileURLToPath(new URL("../../../node_modules/node24/bin/node", import.meta.url));
export const node26 = fileURLToPath(new URL("../../../node_modules/node/bin/node", import.meta.url));

export type Rig = {
  isolates: Isolates;
  events: IsolateEvent[];
  calls: HostCall[];
  /** Makes a plugin callable: `body` is the body of its setup, with `api`. */
  add(
    name: string,
    body: string,
    options?: { before?: string; memoryMb?: number; isolation?: "shared" | "process"; definition?: string },
  ): Promise<void>;
  /** Runs layers, outermost first, each `plugin` or `plugin:handler`, `!` in front where it blocks, `+` where it sees data. */
  chain(layers: readonly string[], value: unknown, options?: Partial<ChainRequest>): Promise<ChainResult & { made: unknown }>;
  invoke(
    plugin: string,
    kind: InvokeRequest["kind"],
    args: readonly unknown[],
    options?: Partial<InvokeRequest>,
  ): Promise<InvokeResult & { made?: unknown }>;
};

/** Real isolates in real runners, closed after the tests of the file. */
export function openRig(options: Partial<IsolatesOptions> = {}, onHostCall: (call: HostCall) => unknown = () => null): Rig {
  const events: IsolateEvent[] = [];
  const calls: HostCall[] = [];
  const isolates = createIsolates({
    onHostCall: async (call) => {
      calls.push(call);
      return pack(await onHostCall(call));
    },
    onEvent: (event) => void events.push(event),
    ...options,
  });
  afterAll(() => isolates.close());
  return {
    isolates,
    events,
    calls,
    async add(name, body, { before = "", memoryMb = 64, isolation = "shared", definition = "" } = {}) {
      const code = scriptOf(name, body, before, definition);
      const manifest = await isolates.describe(code);
      isolates.add({ name, code, manifest, options: {}, memoryMb, isolation });
    },
    async chain(layers, value, given = {}) {
      const result = await isolates.chain({
        ...limits,
        slot: "tool.bash.input",
        spec: "tool.*.input",
        layers: layers.map(layerOf),
        value: pack(value),
        ctx: {},
        base: "identity",
        callKey: "call",
        ...given,
      });
      return { ...result, made: unpack(result.value) };
    },
    async invoke(plugin, kind, args, given = {}) {
      const result = await isolates.invoke({ ...limits, plugin, handler: 0, kind, args: args.map(pack), callKey: "call", ...given });
      return result.ok && result.answer.kind === "value" ? { ...result, made: unpack(result.answer.value) } : result;
    },
  };
}

export function scriptOf(name: string, body: string, before = "", definition = ""): string {
  return `${before};({ definition: { name: ${JSON.stringify(name)}, ${definition} }, setup(api) { ${body} } })`;
}

/** One layer on the input of every tool. */
export const layer = (run: string, options = ""): string => `api.setSlot("tool.*.input", ${run}${options === "" ? "" : `, ${options}`});`;
export const outputLayer = (run: string, options = ""): string => `api.setSlot("tool.*.output", ${run}${options === "" ? "" : `, ${options}`});`;

export const output = { slot: "tool.bash.output", spec: "tool.*.output" } as const;

export const answerWith = (answer: Answer) => async (_value: Packed) => answer;

function layerOf(text: string): ChainLayer {
  const block = text.startsWith("!");
  const data = text.startsWith("+");
  const [plugin = "", handler = "0"] = text.slice(block || data ? 1 : 0).split(":");
  return { plugin, handler: Number(handler), onFailure: block ? "block" : "skip", data };
}
