import { isAbsolute } from "node:path";
import { MortiseError } from "../sdk/errors.ts";
import type { Autocmds } from "./autocmds/autocmds.ts";
import type { LogEntry } from "./host-types.ts";
import { Said } from "./isolate/describe.ts";
import type { IsolateEvent } from "./isolate/isolates.ts";
import type { Logs } from "./logs.ts";
import { locate, namesPlaces } from "./plugins/locate.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";

/** What plugins and their processes say and suffer, told to the log and to who listens. */
export type PluginNews = {
  onIsolate(event: IsolateEvent): void;
  /** What a plugin failed to load with, and what it said before, by its file. */
  failed(key: string, cause: unknown): void;
  /** The work, whose failure is logged. */
  logged<T>(key: string, work: Promise<T>): Promise<T>;
  /** Resolves once what was said is written. */
  settled(): Promise<void>;
};

/** @param from.isCleaning Whether texts are being redacted for a log now. */
export function createPluginNews(from: {
  logs: Logs;
  tell: Autocmds["tell"];
  plugin(name: string): LoadedPlugin | undefined;
  isCleaning(): boolean;
}): PluginNews {
  const { logs } = from;
  let locating = Promise.resolve();

  function said(level: LogEntry["level"], name: string, text: string): void {
    const plugin = from.plugin(name);
    // What redactors say of a log would be cleaned by themselves without end.
    if (from.isCleaning() && plugin?.manifest.redactors.length !== 0) return;
    const hasPlaces = level === "error" && namesPlaces(text);
    if (!hasPlaces || plugin === undefined || plugin.origin === "builtin" || !isAbsolute(plugin.path)) {
      logs.write(level, name, text);
      return;
    }
    // One after another: each makes the bundle once more.
    locating = locating.then(async () => logs.write(level, name, (await locate({ path: plugin.path }, plugin.code, text)).stack)).catch(() => {});
  }

  function failed(key: string, cause: unknown): void {
    if (!(cause instanceof MortiseError) || cause.code === "plugin_disabled") return;
    const before = Said.safeParse(cause.cause);
    logs.write("error", key, [cause.message, ...(before.success ? before.data.said : [])].join("\n"));
  }

  return {
    onIsolate(event) {
      switch (event.kind) {
        case "log":
          said(event.level, event.plugin, event.text);
          break;
        case "strike":
          logs.say("warn", event.plugin, `strike ${event.strikes}: ${event.code}`);
          from.tell("PluginFailed", { plugin: event.plugin, code: event.code });
          break;
        case "moved":
          logs.say("warn", event.plugin, "moved to a runner of its own");
          break;
        case "disabled":
          logs.say("error", event.plugin, `disabled: ${event.code}`);
          break;
        case "runner_lost":
          logs.say("warn", event.plugin, `a runner (process ${event.pid}) was lost: ${event.code}`);
      }
    },
    failed,
    async logged(key, work) {
      try {
        return await work;
      } catch (cause) {
        failed(key, cause);
        throw cause;
      }
    },
    settled: () => locating,
  };
}
