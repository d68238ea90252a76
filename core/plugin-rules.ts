import { resolve } from "node:path";
import { capabilityNames } from "../sdk/contract.ts";
import type { Rule } from "./permission/permission.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";

/** Rules that plugins registered. A plugin may allow only what it could do itself, and never everything; denying is free. */
export function pluginRules(plugins: readonly LoadedPlugin[]): Rule[] {
  return plugins.flatMap((plugin) =>
    plugin.manifest.rules
      .filter(({ tool, pattern, effect }) => effect !== "allow" || (plugin.failed === null && isBounded(pattern) && mayAllow(plugin, plugins, tool)))
      .map((rule) => ({ ...rule, layer: "plugin" as const, from: plugin.name })),
  );
}

/** Whether a pattern says what it is about: `/tmp/../**` is everything in other words. */
function isBounded(pattern: string | undefined): boolean {
  if (pattern === undefined || /^[*/.\s]*$/.test(pattern)) return false;
  return !/\/\*+$/.test(pattern) || resolve(pattern.replace(/\/\*+$/, "/")) !== "/";
}

function mayAllow(plugin: LoadedPlugin, plugins: readonly LoadedPlugin[], name: string): boolean {
  const tool = plugins.flatMap((each) => each.manifest.tools).find((each) => each.name === name);
  if (tool === undefined) return false;
  return (tool.capability === null ? capabilityNames : [tool.capability]).every((capability) => plugin.granted[capability] === true);
}
