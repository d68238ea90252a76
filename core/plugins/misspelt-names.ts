import { join } from "node:path";
import { closeNames, quoteWithClose } from "../close-names.ts";
import type { Settings } from "../config/settings.ts";
import type { PluginProblem } from "./load-problem.ts";

/** Names in the config that no plugin here has and that are close to one: what was set for it does not count. */
export function misspeltNames(settings: Settings, names: readonly string[]): PluginProblem[] {
  const { options, disabled, grants, block, folders } = settings;
  const set = [options.user, options.project, grants, block].flatMap((part) => Object.keys(part));
  const unknown = [...new Set([...set, ...disabled.user, ...disabled.project])].filter((name) => !names.includes(name));
  return unknown
    .filter((name) => closeNames(name, names).length > 0)
    .map((name) => ({
      severity: "warning",
      code: "unknown_plugin",
      plugin: null,
      message: `The config names a plugin ${quoteWithClose(name, names)}`,
      path: join(folders.config, "config.jsonc"),
    }));
}
