import { AsyncParallelHook, HookMap } from "tapable";
import { type AutocmdName, type AutocmdSpec, slices, autocmds as table } from "../../sdk/contract.ts";
import { MortiseError } from "../../sdk/errors.ts";
import { pack } from "../../sdk/wire.ts";
import { quoteWithClose } from "../close-names.ts";
import type { InvokeResult, Isolates } from "../isolate/isolates.ts";
import type { LoadedPlugin } from "../plugins/plugin.ts";
import { listensTo } from "./listens.ts";

type Data = Record<string, unknown>;
type Fired = { event: string; match: string | undefined; data: unknown; depth: number };

export type Autocmds = {
  /** Tells listeners and does not wait. Data is redacted by the caller. */
  tell(event: AutocmdName, data: Data): void;
  /** Tells and waits for every listener, `graceMs` at most. */
  tellAndWait(event: AutocmdName, data: Data, graceMs: number): Promise<void>;
  /** Fires a plugin's own event, and waits. @throws MortiseError `unknown_event`, `too_deep`. */
  exec(events: readonly string[], options: { match?: string; data?: unknown; depth: number }): Promise<void>;
  /** A program's listener; returns its undo. */
  on(event: string, listener: (data: Data) => void | Promise<void>): () => void;
  remove(plugin: string, id: number): void;
  clear(plugin: string, group: string): void;
  /** Forgets removals and `once` of a plugin: it registers anew. */
  reset(plugin: string): void;
  /** Resolves when nothing waits to be told. */
  idle(): Promise<void>;
};

export type AutocmdsHost = {
  isolates: Isolates;
  plugins(): readonly LoadedPlugin[];
  /** Whether a plugin could layer a slot of a tool, and so may see content. */
  maySee(plugin: LoadedPlugin, slot: string): boolean;
  /** Registers what a call of a callback is known by, and its depth. Returns the key and its undo. */
  enter(plugin: string, depth: number): { key: string; leave(): void };
  log(level: "warn" | "error", plugin: string, text: string): void;
};

/** Events waiting for one plugin; more are dropped, counted and logged. */
const QUEUE = 256;
/** How deeply events may fire events. */
export const MAX_DEPTH = 8;
const WINDOW_MS = 30_000;

export function createAutocmds(host: AutocmdsHost): Autocmds {
  const hooks = new HookMap<AsyncParallelHook<[Data]>>(() => new AsyncParallelHook(["data"]));
  const queues = new Map<string, { waiting: number; dropped: number; tail: Promise<void> }>();
  const removed = new Set<string>();

  const deliver = async (plugin: LoadedPlugin, fired: Fired): Promise<void> => {
    for (const autocmd of plugin.manifest.autocmds) {
      const id = `${plugin.name} ${autocmd.handler}`;
      if (removed.has(id) || !listensTo(autocmd, fired)) continue;
      // Removed before the callback runs, so that firing the event again inside it cannot run it twice.
      if (autocmd.once) removed.add(id);
      const event = {
        id: autocmd.handler,
        event: fired.event,
        data: shown(host, plugin, fired),
        ...(fired.match === undefined ? {} : { match: fired.match }),
      };
      const context = host.enter(plugin.name, fired.depth + 1);
      const result = await host.isolates.invoke({
        plugin: plugin.name,
        handler: autocmd.handler,
        kind: "autocmd",
        args: [pack(event)],
        callKey: context.key,
        windowMs: WINDOW_MS,
        sliceMs: slices.autocmd,
        budgetMs: 1_000,
      });
      context.leave();
      if (!result.ok) host.log("error", plugin.name, failed(fired.event, result));
    }
  };

  /** One event at a time for each plugin, in the order they were fired. */
  const enqueue = (plugin: LoadedPlugin, fired: Fired): Promise<void> => {
    const queue = queues.get(plugin.name) ?? { waiting: 0, dropped: 0, tail: Promise.resolve() };
    queues.set(plugin.name, queue);
    if (queue.waiting >= QUEUE) {
      queue.dropped++;
      if (queue.dropped === 1)
        host.log("warn", plugin.name, `its queue of autocmds is full: ${fired.event} and what follows is dropped until it catches up`);
      return Promise.resolve();
    }
    queue.waiting++;
    queue.tail = queue.tail
      .then(() => deliver(plugin, fired))
      .finally(() => {
        queue.waiting--;
        if (queue.waiting === 0 && queue.dropped > 0) {
          host.log("warn", plugin.name, `${queue.dropped} autocmd events were dropped`);
          queue.dropped = 0;
        }
      });
    return queue.tail;
  };

  const listeners = (fired: Fired) =>
    host.plugins().filter((plugin) => plugin.failed === null && plugin.manifest.autocmds.some((autocmd) => listensTo(autocmd, fired)));

  const fire = (fired: Fired): Promise<unknown> => {
    const program = hooks.get(fired.event)?.promise(fired.data as Data) ?? Promise.resolve();
    return Promise.all([program.catch(() => {}), ...listeners(fired).map((plugin) => enqueue(plugin, fired))]);
  };

  return {
    tell: (event, data) => void fire({ event, match: undefined, data, depth: 0 }),
    async tellAndWait(event, data, graceMs) {
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([fire({ event, match: undefined, data, depth: 0 }), grace]);
      clearTimeout(timer);
    },
    async exec(events, { match, data, depth }) {
      if (depth >= MAX_DEPTH) throw new MortiseError("too_deep", { seen: events.join(", ") });
      for (const event of events) {
        // Nested firing does not wait in the queue: it would wait for itself.
        const fired = { event, match, data, depth };
        await Promise.all(listeners(fired).map((plugin) => deliver(plugin, fired)));
        await hooks.get(event)?.promise(data as Data);
      }
    },
    on(event, listener) {
      if (!Object.hasOwn(table, event) && !event.includes(":"))
        throw new MortiseError("unknown_event", { seen: quoteWithClose(event, Object.keys(table)) });
      let active = true;
      hooks.for(event).tapPromise("program", async (data) => {
        if (active) await listener(data);
      });
      return () => {
        active = false;
      };
    },
    remove: (plugin, id) => void removed.add(`${plugin} ${id}`),
    clear(plugin, group) {
      const owner = host.plugins().find((each) => each.name === plugin);
      for (const autocmd of owner?.manifest.autocmds ?? []) if (autocmd.group === group) removed.add(`${plugin} ${autocmd.handler}`);
    },
    reset(plugin) {
      for (const id of removed) if (id.startsWith(`${plugin} `)) removed.delete(id);
    },
    idle: async () => void (await Promise.all([...queues.values()].map((queue) => queue.tail))),
  };
}

/** The data without fields of content that this plugin may not see. */
function shown(host: AutocmdsHost, plugin: LoadedPlugin, fired: Fired): unknown {
  if (!Object.hasOwn(table, fired.event)) return fired.data;
  const spec: AutocmdSpec = table[fired.event as AutocmdName];
  const data = { ...(fired.data as Data) };
  for (const [field, slot] of Object.entries(spec.content)) {
    if (field in data && !host.maySee(plugin, slot.replace("<tool>", String(data.tool)))) delete data[field];
  }
  return data;
}

function failed(event: string, result: InvokeResult): string {
  return `its listener of ${event} failed: ${result.ok ? "" : result.failure.message}`;
}
