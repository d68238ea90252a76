import { fail } from "./failures.ts";
import { add, hasOwn, indexOf } from "./primordials.ts";
import { names, optional, register, registrations, text } from "./registry.ts";
import { guestTables } from "./tables.ts";

/** Listens to events of the host, by name, and to those of plugins, which have a colon. */
export function registerAutocmd(event: unknown, callback: unknown, settings: unknown): number {
  const events = names(event, "An event");
  if (events.length === 0) throw fail("unknown_event", "none");
  for (let i = 0; i < events.length; i++) {
    const name = events[i]!;
    if (indexOf(name, ":") < 1 && !hasOwn(guestTables().events, name)) throw fail("unknown_event", name);
  }
  const options = optional(settings);
  const handler = register("autocmd", callback);
  const autocmd = {
    handler,
    events,
    pattern: options.pattern === undefined ? null : names(options.pattern, "pattern"),
    once: options.once === true,
    group: options.group === undefined ? null : text(options.group, "group"),
  };
  add(registrations.autocmds, autocmd);
  return handler;
}
