import type { PluginCode } from "./isolates.ts";

/** One version of a plugin. Runners know it by its number. */
export type Version = {
  number: number;
  plugin: PluginCode;
  inFlight: number;
  /** Replaced or removed: it ends with its last call. */
  retired: boolean;
  whenIdle: (() => void)[];
};

export type Versions = {
  add(plugin: PluginCode): Version;
  get(name: string): Version | undefined;
  byNumber(number: number): Version | undefined;
  /** Takes a plugin away; resolves once its calls have ended. */
  remove(name: string): Promise<void>;
  enter(version: Version): void;
  leave(version: Version): void;
  /** A number for a plugin that is only described. */
  nextNumber(): number;
};

/** `onRetired` is told when nothing of a version runs any more. */
export function createVersions(onRetired: (version: Version) => void): Versions {
  const current = new Map<string, Version>();
  const numbers = new Map<number, Version>();
  let last = 0;

  return {
    add(plugin) {
      const before = current.get(plugin.name);
      const version: Version = { number: ++last, plugin, inFlight: 0, retired: false, whenIdle: [] };
      current.set(plugin.name, version);
      numbers.set(version.number, version);
      if (before !== undefined) retire(before);
      return version;
    },
    get: (name) => current.get(name),
    byNumber: (number) => numbers.get(number),
    async remove(name) {
      const version = current.get(name);
      if (version === undefined) return;
      current.delete(name);
      const idle = new Promise<void>((resolve) => void version.whenIdle.push(resolve));
      retire(version);
      await idle;
    },
    enter: (version) => void version.inFlight++,
    leave(version) {
      version.inFlight--;
      if (version.retired) retire(version);
    },
    nextNumber: () => ++last,
  };

  function retire(version: Version): void {
    version.retired = true;
    if (version.inFlight > 0 || !numbers.delete(version.number)) return;
    onRetired(version);
    for (const resolve of version.whenIdle) resolve();
  }
}
