import { MortiseError } from "../../sdk/errors.ts";
import type { Manifest } from "../../sdk/wire.ts";
import { quoteWithClose } from "../close-names.ts";
import type { Options } from "../config/settings.ts";

/** A plugin's options: what the config sets over the definition's own. Throws `plugin_invalid` naming the option that is unknown or of another type. */
export function mergeOptions(manifest: Pick<Manifest, "name" | "options">, set: Options): Options {
  const own = defaultsOf(manifest);
  for (const [name, value] of Object.entries(set)) {
    const seen = `options.${manifest.name}.${name}`;
    const mine = Object.hasOwn(own, name) ? own[name] : undefined;
    if (mine === undefined) throw invalid(manifest, `options.${manifest.name}: there is no option ${quoteWithClose(name, Object.keys(own))}`);
    if (typeof mine !== typeof value) throw invalid(manifest, `${seen}: expected a ${typeof mine}, got ${JSON.stringify(value)}`);
  }
  return { ...own, ...set };
}

function defaultsOf(manifest: Pick<Manifest, "name" | "options">): Options {
  const own: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(manifest.options)) {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      throw invalid(manifest, `options.${name}: a default is a string, a number or a boolean`);
    }
    own[name] = value;
  }
  return own;
}

function invalid({ name }: { name: string }, seen: string): MortiseError {
  return new MortiseError("plugin_invalid", { seen, plugin: name });
}
