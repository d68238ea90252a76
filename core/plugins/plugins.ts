import { MortiseError } from "../../sdk/errors.ts";
import { isDisabled, optionsFor } from "../config/for-plugin.ts";
import type { Settings } from "../config/settings.ts";
import type { Grants } from "../grants/grants.ts";
import type { Isolates } from "../isolate/isolates.ts";
import { type BuildSource, buildPlugin } from "./build.ts";
import { checkPlugin, ownSlots, type SlotOwners } from "./checks.ts";
import type { PluginEntry } from "./discover.ts";
import { forgetLastGood, readLastGood, rememberLastGood } from "./last-good.ts";
import { grantProblem, keptOnFailure, keyOf, type PluginProblem, problemOf } from "./load-problem.ts";
import { misspeltNames } from "./misspelt-names.ts";
import { buildPinned } from "./pinned.ts";
import type { BuiltPlugin, LoadedPlugin, Origin } from "./plugin.ts";

export type PluginChange = { kind: "loaded" | "reloaded" | "unloaded" | "failed" | "granted"; plugin: LoadedPlugin };

export type PluginsOptions = {
  isolates: Pick<Isolates, "add" | "remove" | "describe">;
  settings: Settings;
  grants: Pick<Grants, "grantFor">;
  /** Says no, by throwing, to what would be loaded after a change; nothing has changed by then. */
  accept?(next: readonly LoadedPlugin[]): void;
};

/** The plugins of a host. Changes happen one after the other; each is whole or does not happen. */
export type Plugins = {
  /** Throws the load error; it is in `problems` too. */
  load(source: BuildSource, origin: Origin): Promise<LoadedPlugin>;
  /** Loads what can be loaded, in this order; the rest is in `problems`, and answered with what it failed with. */
  loadAll(entries: readonly PluginEntry[]): Promise<{ entry: PluginEntry; cause: unknown }[]>;
  /** Builds, checks and grants the newest version, then swaps it in. Throws where that fails: the old one runs on. */
  reload(name: string): Promise<LoadedPlugin>;
  unload(name: string): Promise<void>;
  /** Works out a plugin's grants again, asking nobody. */
  regrant(name: string): Promise<LoadedPlugin>;
  /** In load order. Those with `failed` do not run; their guards go on by their failure policy. */
  list(): readonly LoadedPlugin[];
  get(name: string): LoadedPlugin | undefined;
  /** What a person switched off in a config, and so was not loaded. */
  disabled(): readonly { name: string; path: string; origin: Origin }[];
  problems(): readonly PluginProblem[];
  /** Called after each change. Returns its undo. */
  onChange(listener: (change: PluginChange) => void): () => void;
};

const defaultMemoryMb = 64;

export function createPlugins({ isolates, settings, grants, accept }: PluginsOptions): Plugins {
  const { folders } = settings;
  const owners: SlotOwners = new Map();
  const listeners = new Set<(change: PluginChange) => void>();
  const problems = new Map<string, PluginProblem[]>();
  const disabled = new Map<string, { name: string; path: string; origin: Origin }>();
  const entries = new Map<string, PluginEntry>();
  let loaded: readonly LoadedPlugin[] = [];
  let nextOrder = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  };
  const tell = (kind: PluginChange["kind"], plugin: LoadedPlugin) => {
    for (const listener of listeners) listener({ kind, plugin });
  };
  const find = (name: string): LoadedPlugin => {
    const plugin = loaded.find((other) => other.name === name);
    if (plugin === undefined) throw new MortiseError("unknown_plugin", { seen: name });
    return plugin;
  };

  const build = ({ source, origin }: PluginEntry) => {
    const make = () => buildPlugin(source, { isolates, optionsFor: (name) => optionsFor(settings, name, origin), cacheFolder: folders.cache });
    return origin === "project" ? buildPinned(settings, make) : make();
  };

  const swap = (plugin: LoadedPlugin, old: LoadedPlugin | undefined) => {
    const next = [...loaded.filter((other) => other !== old && other.name !== plugin.name), plugin].sort((a, b) => a.order - b.order);
    accept?.(next);
    loaded = next;
  };

  const commit = async (built: BuiltPlugin & { options: LoadedPlugin["options"] }, entry: PluginEntry, old?: LoadedPlugin): Promise<LoadedPlugin> => {
    const { origin } = entry;
    const { name, memoryMb, isolation } = built.manifest;
    const key = keyOf(entry.source);
    if (old !== undefined && old.name !== name)
      throw new MortiseError("plugin_invalid", { seen: `${built.path} was ${old.name} and calls itself ${name} now; unload it first`, plugin: name });
    disabled.delete(key);
    if (isDisabled(settings, name, origin)) {
      disabled.set(key, { name, path: built.path, origin });
      await forgetLastGood(folders.state, key);
      throw new MortiseError("plugin_disabled", { seen: name, plugin: name });
    }
    // A version that failed gives way to the same person's working one, wherever its file is now.
    const gives = (other: LoadedPlugin) => other === old || (other.failed !== null && other.name === name && other.origin === origin);
    checkPlugin(
      built,
      loaded.filter((other) => !gives(other)),
      owners,
    );
    const { problem, ...standing } = await grants.grantFor(built, origin);
    const plugin: LoadedPlugin = { ...built, name, origin, ...standing, order: old?.order ?? nextOrder++, failed: null };
    swap(plugin, old);
    ownSlots(built, owners);
    entries.set(name, entry);
    isolates.add({
      name,
      code: built.code,
      manifest: built.manifest,
      options: built.options,
      memoryMb: memoryMb ?? settings.limits.memoryMb ?? defaultMemoryMb,
      isolation,
    });
    problems.set(key, problem === undefined ? [] : [grantProblem(built, problem)]);
    if (keptOnFailure(origin)) await rememberLastGood(folders.state, key, built).catch(() => {});
    tell(old === undefined ? "loaded" : "reloaded", plugin);
    return plugin;
  };

  /** Where the newest version of a file does not load, its last good manifest stands in for it, so that what it guarded stays closed. */
  const standIn = async (entry: PluginEntry, failed: { code: string; message: string }) => {
    const built = keptOnFailure(entry.origin) ? await readLastGood(folders.state, keyOf(entry.source)) : undefined;
    if (built === undefined || isDisabled(settings, built.manifest.name, entry.origin)) return;
    const { name } = built.manifest;
    if (loaded.some((other) => other.name === name)) return;
    const { problem: _, ...standing } = await grants.grantFor(built, entry.origin, { mayAsk: false });
    const plugin: LoadedPlugin = { ...built, name, origin: entry.origin, ...standing, order: nextOrder++, failed, options: {} };
    swap(plugin, undefined);
    entries.set(name, entry);
    tell("failed", plugin);
  };

  const fail = async (entry: PluginEntry, cause: unknown): Promise<never> => {
    const problem = problemOf(entry, cause);
    if (problem.code !== "plugin_disabled") {
      problems.set(keyOf(entry.source), [problem]);
      // What a stand-in cannot be is no reason to hide why the plugin did not load.
      if (problem.code !== "plugin_name_taken") await standIn(entry, problem).catch(() => {});
    }
    throw cause;
  };

  const loadOne = (entry: PluginEntry, building: ReturnType<typeof build>) =>
    inTurn(async () => {
      try {
        return await commit(await building, entry);
      } catch (cause) {
        return fail(entry, cause);
      }
    });

  return {
    load: (source, origin) => loadOne({ source, origin }, start(build({ source, origin }))),
    loadAll: async (all) => {
      const loads = await Promise.allSettled(all.map((entry) => loadOne(entry, start(build(entry)))));
      return all.flatMap((entry, i) => {
        const load = loads[i];
        return load?.status === "rejected" ? [{ entry, cause: load.reason as unknown }] : [];
      });
    },
    reload: (name) =>
      inTurn(async () => {
        const old = find(name);
        const entry = entries.get(name);
        if (entry === undefined) throw new MortiseError("unknown_plugin", { seen: name });
        try {
          return await commit(await build(entry), entry, old);
        } catch (cause) {
          problems.set(keyOf(entry.source), [problemOf(entry, cause)]);
          throw cause;
        }
      }),
    unload: (name) =>
      inTurn(async () => {
        const plugin = find(name);
        loaded = loaded.filter((other) => other !== plugin);
        const entry = entries.get(name);
        if (entry !== undefined) problems.delete(keyOf(entry.source));
        entries.delete(name);
        await isolates.remove(name);
        tell("unloaded", plugin);
      }),
    regrant: (name) =>
      inTurn(async () => {
        const { lost: _, ...old } = find(name);
        const { problem, ...standing } = await grants.grantFor(old, old.origin, { mayAsk: false });
        const plugin: LoadedPlugin = { ...old, ...standing };
        swap(plugin, undefined);
        const entry = entries.get(name);
        if (entry !== undefined && old.failed === null) {
          problems.set(keyOf(entry.source), problem === undefined ? [] : [grantProblem(old, problem)]);
        }
        tell("granted", plugin);
        return plugin;
      }),
    list: () => loaded,
    get: (name) => loaded.find((plugin) => plugin.name === name),
    disabled: () => [...disabled.values()],
    problems: () => [
      ...[...problems.values()].flat(),
      ...misspeltNames(
        settings,
        [...loaded, ...disabled.values()].map(({ name }) => name),
      ),
    ],
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A build that fails before its turn comes is not unhandled. */
function start<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
