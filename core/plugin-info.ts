import type { PluginInfo } from "./host-types.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";

/** What a program or a person may know of a plugin. */
export function pluginInfo(plugin: LoadedPlugin): PluginInfo {
  const { manifest } = plugin;
  return {
    name: plugin.name,
    path: plugin.path,
    origin: plugin.origin,
    version: manifest.version ?? null,
    description: manifest.description ?? null,
    asks: manifest.capabilities,
    steer: manifest.steer,
    granted: plugin.granted,
    grantedSteer: plugin.steer,
    manifest,
    failed: plugin.failed,
    disabled: null,
    isolation: manifest.isolation,
  };
}
