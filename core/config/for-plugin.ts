import type { Origin } from "../plugins/plugin.ts";
import type { Options, Settings } from "./settings.ts";

/** The options that settings give a plugin. A project reaches its own plugins and the built-in ones, never the user's. */
export function optionsFor(settings: Pick<Settings, "options">, name: string, origin: Origin): Options {
  const { user, project } = settings.options;
  const own = (layer: Readonly<Record<string, Options>>) => (Object.hasOwn(layer, name) ? layer[name] : undefined);
  return { ...own(user), ...(reachedByProject(origin) ? own(project) : undefined) };
}

/** Whether a person switched a plugin off in a config. */
export function isDisabled(settings: Pick<Settings, "disabled">, name: string, origin: Origin): boolean {
  return settings.disabled.user.includes(name) || (reachedByProject(origin) && settings.disabled.project.includes(name));
}

/** A project must not weaken a guard of the user's. */
function reachedByProject(origin: Origin): boolean {
  return origin === "project" || origin === "builtin";
}
