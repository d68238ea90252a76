import { slotKey } from "../sdk/contract.ts";
import type { Problem } from "./host-types.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";
import { entitled, hostPrice } from "./slots/price.ts";
import type { Tool } from "./tools.ts";

/** What is wrong with what stands: layers, judges and redactors that are not entitled, and several plugins that may rewrite the same thing. */
export function findProblems(plugins: readonly LoadedPlugin[], tools: readonly Tool[]): Problem[] {
  return [...plugins.flatMap((plugin) => unentitled(plugin, tools)), ...rewriters(plugins)];
}

function unentitled(plugin: LoadedPlugin, tools: readonly Tool[]): Problem[] {
  const { layers, judges, redactors } = plugin.manifest;
  const places = [
    ...layers.map(({ slot }) => ({ what: "layer", slot })),
    ...judges.map(({ slot }) => ({ what: "judge", slot })),
    ...redactors.map(({ slot }) => ({ what: "redactor", slot })),
  ].filter(({ slot }) => slotKey(slot) !== undefined);
  return places.flatMap(({ what, slot }): Problem[] => {
    const missed = toolsOf(slot, tools).filter((tool) => !entitled(plugin, slot, hostPrice(slot, tool)));
    if (missed.length === 0) return [];
    const names = missed.flatMap((tool) => (tool === null ? [] : [tool.name]));
    return [
      {
        severity: "warning",
        code: "not_granted",
        plugin: plugin.name,
        message: `Its ${what} on ${slot} is not entitled${names.length === 0 ? "" : ` for ${names.join(", ")}`}, and is skipped there`,
        fix: `Grant what it asks for with \`mortise grant ${plugin.name}\`, or let its definition ask for \`steer: ["${slot}"]\``,
      },
    ];
  });
}

/** The tools that a slot's layers are paid for; null stands for a slot that is no tool's. */
function toolsOf(slot: string, tools: readonly Tool[]): (Tool | null)[] {
  if (slot.startsWith("tool.*.") || slot === "permission.prompt") return [...tools];
  const named = tools.find((tool) => slot === `tool.${tool.name}.input` || slot === `tool.${tool.name}.output`);
  return named === undefined ? (slot.startsWith("tool.") ? [] : [null]) : [named];
}

function rewriters(plugins: readonly LoadedPlugin[]): Problem[] {
  const bySlot = new Map<string, Set<string>>();
  for (const plugin of plugins) {
    for (const { slot } of plugin.manifest.layers) {
      if (slot.endsWith(".input")) bySlot.set(slot, (bySlot.get(slot) ?? new Set()).add(plugin.name));
    }
  }
  return [...bySlot]
    .filter(([, names]) => names.size > 1)
    .map(([slot, names]) => ({
      severity: "warning",
      code: "several_layers",
      plugin: null,
      message: `Several plugins layer ${slot}, and each may rewrite it: ${[...names].join(", ")}`,
      fix: "`mortise slots` shows their order; `before` and `after` change it",
    }));
}
