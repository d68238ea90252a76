import { type AutocmdName, type AutocmdSpec, slices, autocmds as table } from "../../sdk/contract.ts";
import { MortiseError } from "../../sdk/errors.ts";
import { pack } from "../../sdk/wire.ts";
import { quoteWithClose } from "../close-names.ts";
import type { Isolates } from "../isolate/isolates.ts";
import type { LoadedPlugin } from "../plugins/plugin.ts";
import { PROGRAM } from "../tools.ts";
import { listensTo } from "./listens.ts";
import { copyOf, createPrograms, type Data, type Listener } from "./programs.ts";

type Fired = { event: string; match: string | undefined; data: unknown; depth: number };

export type Autocmds = {
  /** Tells listeners and does not wait. Data is redacted by the caller. `depth` is how deeply what happened was made by plugin code. */
  tell(event: AutocmdName, data: Data, depth?: number): void;
  /** Tells and waits for every listener, `graceMs` at most. */
  tellAndWait(event: AutocmdName, data: Data, graceMs: number): Promise<void>;
  /** Fires a plugin's own event, whose name the caller has checked, and waits. @throws MortiseError `too_deep`. */
  exec(events: readonly string[], options: { match?: string; data?: unknown; depth: number }): Promise<void>;
  /** A program's listener; returns its undo. */
  on(event: string, listener: Listener): () => void;
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

/** Events waiting for one plugin; more are dropped, counted and logged. The end of a session, which cannot be told later, has as much room again. */
const QUEUE = 256;
/** How deeply events may fire events. */
export const MAX_DEPTH = 8;
const WINDOW_MS = 30_000;

export function createAutocmds(host: AutocmdsHost): Autocmds {
  const programs = createPrograms((event, error) => host.log("error", PROGRAM, failed(event, error)));
  const queues = new Map<string, { waiting: number; dropped: number; tail: Promise<void> }>();
  const removed = new Set<string>();

  const current = (name: string) => host.plugins().find((plugin) => plugin.name === name && plugin.failed === null);

  const deliver = async (name: string, fired: Fired): Promise<void> => {
    // It may have been unloaded or replaced while the event waited.
    const plugin = current(name);
    if (plugin === undefined) return;
    for (const autocmd of plugin.manifest.autocmds) {
      const id = `${name} ${autocmd.handler}`;
      if (removed.has(id) || !listensTo(autocmd, fired)) continue;
      // Removed before the callback runs, so that firing the event again inside it cannot run it twice.
      if (autocmd.once) removed.add(id);
      await call(plugin, autocmd.handler, fired);
    }
  };

  const call = async (plugin: LoadedPlugin, handler: number, fired: Fired): Promise<void> => {
    const context = host.enter(plugin.name, fired.depth + 1);
    try {
      const { event, match } = fired;
      const result = await host.isolates.invoke({
        plugin: plugin.name,
        handler,
        kind: "autocmd",
        args: [pack({ id: handler, event, data: shown(host, plugin, fired), ...(match === undefined ? {} : { match }) })],
        callKey: context.key,
        windowMs: WINDOW_MS,
        sliceMs: slices.autocmd,
        budgetMs: 1_000,
      });
      if (!result.ok) host.log("error", plugin.name, failed(event, result.failure.message));
    } catch (error) {
      host.log("error", plugin.name, failed(fired.event, error));
    } finally {
      context.leave();
    }
  };

  const removeAll = (plugin: string, goes: (autocmd: LoadedPlugin["manifest"]["autocmds"][number]) => boolean): void => {
    for (const autocmd of current(plugin)?.manifest.autocmds ?? []) if (goes(autocmd)) removed.add(`${plugin} ${autocmd.handler}`);
  };

  /** One event at a time for each plugin, in the order they were fired. */
  const enqueue = (plugin: LoadedPlugin, fired: Fired): Promise<void> => {
    const queue = queues.get(plugin.name) ?? { waiting: 0, dropped: 0, tail: Promise.resolve() };
    queues.set(plugin.name, queue);
    if (queue.waiting >= (fired.event === "SessionEnd" ? 2 * QUEUE : QUEUE)) {
      queue.dropped++;
      if (queue.dropped === 1)
        host.log("warn", plugin.name, `its queue of autocmds is full: ${fired.event} and what follows is dropped until it catches up`);
      return Promise.resolve();
    }
    queue.waiting++;
    queue.tail = queue.tail
      .then(() => deliver(plugin.name, fired))
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

  const fire = (event: AutocmdName, data: Data, depth = 0): Promise<unknown> => {
    const fired = { event, match: undefined, data, depth };
    const who = listeners(fired);
    if (who.length === 0 && !programs.listensTo(event)) return Promise.resolve();
    // They hear it later, and whoever tells may go on with the data.
    const kept = { ...fired, data: copyOf(data) };
    return Promise.all([programs.tell(event, kept.data), ...who.map((plugin) => enqueue(plugin, kept))]);
  };

  return {
    tell: (event, data, depth) => void fire(event, data, depth),
    async tellAndWait(event, data, graceMs) {
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([fire(event, data), grace]);
      clearTimeout(timer);
    },
    async exec(events, { match, data, depth }) {
      if (depth >= MAX_DEPTH) throw new MortiseError("too_deep", { seen: events.join(", ") });
      for (const event of events) {
        // Nested firing does not wait in the queue: it would wait for itself.
        const fired = { event, match, data, depth };
        await Promise.all(listeners(fired).map((plugin) => deliver(plugin.name, fired)));
        await programs.tell(event, data as Data);
      }
    },
    on(event, listener) {
      if (!Object.hasOwn(table, event) && !event.includes(":"))
        throw new MortiseError("unknown_event", { seen: quoteWithClose(event, Object.keys(table)) });
      return programs.on(event, listener);
    },
    remove: (plugin, id) => removeAll(plugin, (autocmd) => autocmd.handler === id),
    clear: (plugin, group) => removeAll(plugin, (autocmd) => autocmd.group === group),
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

function failed(event: string, why: unknown): string {
  return `its listener of ${event} failed: ${why instanceof Error ? why.message : String(why)}`;
}
