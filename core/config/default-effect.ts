import type { DefaultEffect } from "./permissions-file.ts";
import type { Settings } from "./settings.ts";

/** What counts for a tool where nothing else decides: the stricter of what the user and the project say. */
export function defaultEffect(settings: Pick<Settings, "defaults">, tool: string): DefaultEffect {
  const { user, project } = settings.defaults;
  const said = [user, project].map((layer) => (Object.hasOwn(layer.defaults, tool) ? layer.defaults[tool] : layer.default));
  return (["deny", "prompt", "allow"] as const).find((effect) => said.includes(effect)) ?? "prompt";
}
