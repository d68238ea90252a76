import { OUT } from "../turn.ts";
import { makeApi } from "./api.ts";
import { putLog } from "./calls.ts";
import { kindOf } from "./checks.ts";
import { fail, type Why, why } from "./failures.ts";
import { put } from "./outbox.ts";
import { encode } from "./packing.ts";
import { evaluate, freeze, hasOwn, isFunction, isObject, list, parse, settle, stringify } from "./primordials.ts";
import { endRegistration, registrations } from "./registry.ts";

/** Evaluates a plugin and runs its setup. What it registered, or why it did not load, goes to the outbox. */
export function load(code: string, optionsJson: string): void {
  try {
    const plugin = evaluate(code) as unknown;
    if (!isObject(plugin) || !isObject(plugin.definition) || !isFunction(plugin.setup)) throw fail("plugin_undefined", kindOf(plugin));
    const definition = parse(encode(plugin.definition, list()).json ?? "null");
    if (!isObject(definition) || typeof definition.name !== "string") throw fail("plugin_invalid", "name");
    const asks = hasOwn(definition, "capabilities") && isObject(definition.capabilities) ? definition.capabilities : {};
    const options = freeze({ ...(hasOwn(definition, "options") ? (definition.options as object) : {}), ...(parse(optionsJson) as object) });
    const setup = plugin.setup;
    settle(
      setup(makeApi(definition.name, asks, options)),
      () => loaded(definition),
      (error) => failed(why(error)),
    );
  } catch (error) {
    failed(why(error));
  }
}

function loaded(definition: Record<PropertyKey, unknown>): void {
  endRegistration();
  const optional = (key: string, fallback: unknown): unknown => (hasOwn(definition, key) ? definition[key] : fallback);
  const manifest = {
    // What nobody knows is refused by the host, with what may have been meant.
    ...definition,
    name: definition.name,
    version: optional("version", undefined),
    description: optional("description", undefined),
    capabilities: optional("capabilities", {}),
    steer: optional("steer", []),
    isolation: optional("isolation", "shared"),
    memoryMb: optional("memoryMb", undefined),
    layers: registrations.layers,
    judges: registrations.judges,
    redactors: registrations.redactors,
    autocmds: registrations.autocmds,
    slots: registrations.slots,
    tools: registrations.tools,
    commands: registrations.commands,
    rules: registrations.rules,
    options: optional("options", {}),
  };
  try {
    const json = stringify(manifest) ?? "null";
    put(OUT.loaded);
    put(json);
  } catch (error) {
    failed(why(error));
  }
}

function failed(reason: Why): void {
  endRegistration();
  if (reason.stack !== null) putLog("error", reason.stack);
  put(OUT.error);
  put(0);
  put(reason.code);
  put(reason.text);
}
