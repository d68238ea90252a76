import { kindOf } from "./checks.ts";
import { fail } from "./failures.ts";
import { hasOwn, isArray, isFunction, isObject, type Table, table } from "./primordials.ts";

type Complete = (query: unknown, ctx: unknown) => unknown;

const MAX_SOURCES = 256;

/** What completes for the sources of this plugin, by their names: functions do not leave the isolate. */
let completers: Table<Complete> = table();
let kept = 0;
let own = "";

/** The handler that asks a source of the plugin. One that is not known, as in an isolate that was made anew, is `source_unknown`. */
export function completerOf(plugin: string): (wanted: unknown, ctx: unknown) => unknown {
  own = plugin;
  return (wanted, ctx) => {
    const { name, query } = wanted as { name: string; query: string };
    const complete = hasOwn(completers, name) ? completers[name] : undefined;
    if (complete === undefined) throw fail("source_unknown", name);
    return complete(query, ctx);
  };
}

/** Sources as they leave the isolate, each marked with whose it is. Throws `wrong_answer` for what is no list of sources. */
export function sourcesOf(value: unknown): unknown[] {
  if (!isArray(value)) throw fail("wrong_answer", `${kindOf(value)} instead of a list of sources`);
  if (value.length > MAX_SOURCES) throw fail("wrong_answer", `${value.length} sources`);
  const taken: unknown[] = [];
  for (let i = 0; i < value.length; i++) taken[i] = sourceOf(value[i]);
  return taken;
}

function sourceOf(source: unknown): unknown {
  if (!isObject(source)) throw fail("wrong_answer", `${kindOf(source)} instead of a source`);
  const { trigger, name, complete, plugin } = source;
  if (typeof trigger !== "string") throw fail("wrong_answer", `trigger is ${kindOf(trigger)}`);
  if (typeof name !== "string" || name === "") throw fail("wrong_answer", `name is ${name === "" ? "empty" : kindOf(name)}`);
  if (isFunction(complete)) {
    keep(name, complete);
    return { trigger, name, plugin: own };
  }
  if (complete !== undefined) throw fail("wrong_answer", `complete of ${name} is ${kindOf(complete)}`);
  if (typeof plugin !== "string") throw fail("wrong_answer", `${name} has no complete`);
  return { trigger, name, plugin };
}

/** Names that are made anew each time do not add up: what is forgotten is asked for again. */
function keep(name: string, complete: Complete): void {
  if (!hasOwn(completers, name) && ++kept > MAX_SOURCES) {
    completers = table();
    kept = 1;
  }
  completers[name] = complete;
}
