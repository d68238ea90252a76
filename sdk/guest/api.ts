import { openSession } from "./agent.ts";
import { registerAutocmd } from "./autocmds.ts";
import { querySyntax } from "./captures.ts";
import { completerOf } from "./completions.ts";
import { log } from "./console.ts";
import { fail } from "./failures.ts";
import { add, defineProperty, freeze, hasOwn, indexOf, isObject } from "./primordials.ts";
import { redactorLayer } from "./redactors.ts";
import { dropAutocmds, mayRegister, names, oneOf, optional, register, registrationOver, registrations, text } from "./registry.ts";
import { given, request, tell } from "./requests.ts";
import { isHostSlot, isReserved, toolStage } from "./tables.ts";
import { registerCommand, registerTool } from "./tools.ts";

type Asks = Record<string, unknown>;

const onFailures = freeze(["skip", "block"] as const);
const effects = freeze(["allow", "ask", "deny"] as const);
const defaultOverlap = 256;

const call =
  (method: string) =>
  (...args: unknown[]): Promise<unknown> =>
    request(method, given(args[0], args[1], args[2]));

/** The `api` of a plugin: what its definition does not ask for is not there. */
export function makeApi(name: string, asks: Asks, options: unknown): object {
  const api: Record<string, unknown> = {
    name,
    options,
    log,
    setSlot: (slot: unknown, layer: unknown, settings: unknown) => setSlot(name, slot, layer, settings),
    judge,
    redact,
    declareSlot: (slot: unknown, base: unknown, settings: unknown) => declareSlot(name, slot, base, settings),
    getSlots: call("slots.list"),
    createAutocmd: registerAutocmd,
    delAutocmd,
    clearGroup,
    execAutocmds: (event: unknown, settings: unknown) => execAutocmds(name, event, settings),
    registerTool,
    registerCommand,
    registerPermissionRule,
    tools: freeze({ list: call("tools.list"), call: call("tools.call"), keep: call("tools.keep") }),
    isolate: freeze({ run: call("isolate.run") }),
    syntax: freeze({ query: querySyntax, commands: call("syntax.commands") }),
    store: freeze({ get: call("store.get"), set: call("store.set"), delete: call("store.delete"), keys: call("store.keys") }),
    projectStore: freeze({
      get: call("projectStore.get"),
      set: call("projectStore.set"),
      delete: call("projectStore.delete"),
      keys: call("projectStore.keys"),
    }),
    person: freeze({ ask: call("person.ask") }),
    agent: freeze({ session: openSession, tasks: call("agent.tasks"), wait: call("agent.wait"), stop: call("agent.stop") }),
  };
  const own = (key: string, value: object) =>
    defineProperty(api, key, { __proto__: null, value: freeze(value), enumerable: true } as PropertyDescriptor);
  const reads = hasOwn(asks, "fs_read");
  const writes = hasOwn(asks, "fs_write");
  if (reads || writes) own("fs", { ...(reads ? fsRead() : {}), ...(writes ? fsWrite() : {}) });
  if (hasOwn(asks, "run")) {
    own("run", {
      exec: call("run.exec"),
      start: call("run.start"),
      wait: call("run.wait"),
      tail: call("run.tail"),
      stop: call("run.stop"),
      list: call("run.list"),
    });
  }
  if (hasOwn(asks, "net")) own("net", { fetch: call("net.fetch") });
  if (hasOwn(asks, "env")) own("env", { get: call("env.get") });
  return freeze(api);
}

function fsRead(): object {
  return {
    read: call("fs.read"),
    readWindow: call("fs.readWindow"),
    readBytes: call("fs.readBytes"),
    stat: call("fs.stat"),
    list: call("fs.list"),
    glob: call("fs.glob"),
    search: call("fs.search"),
    find: call("fs.find"),
    walk: call("fs.walk"),
    realpath: call("fs.realpath"),
    cwd: call("fs.cwd"),
    places: call("fs.places"),
  };
}

function fsWrite(): object {
  return { write: call("fs.write"), append: call("fs.append"), mkdir: call("fs.mkdir"), remove: call("fs.remove") };
}

function setSlot(plugin: string, slot: unknown, layer: unknown, settings: unknown): void {
  const name = text(slot, "A slot's name");
  if (isReserved(name) && !isHostSlot(name)) throw fail("unknown_slot", name);
  const options = optional(settings);
  const handler = register("layer", layer);
  add(registrations.layers, {
    handler,
    slot: name,
    onFailure: options.onFailure === undefined ? "skip" : oneOf(options.onFailure, onFailures, "onFailure"),
    before: names(options.before, "before"),
    after: names(options.after, "after"),
    data: options.data === true,
    ...(name === "completion.sources" ? { completes: register("completion", completerOf(plugin)) } : {}),
  });
}

function judge(slot: unknown, run: unknown): void {
  const name = text(slot, "A slot's name");
  if (toolStage(name) !== "input") throw fail("unknown_slot", name);
  add(registrations.judges, { handler: register("judge", run), slot: name });
}

function redact(redactor: unknown, settings: unknown): void {
  const options = optional(settings);
  const slot = options.slot === undefined ? "tool.*.output" : text(options.slot, "slot");
  if (toolStage(slot) !== "output") throw fail("unknown_slot", slot);
  if (typeof redactor !== "function") throw fail("plugin_invalid", "a redactor that is no function");
  add(registrations.redactors, {
    handler: register("layer", redactorLayer(redactor as (text: string) => unknown)),
    slot,
    overlap: options.overlap === undefined ? defaultOverlap : options.overlap,
  });
}

function declareSlot(plugin: string, slot: unknown, base: unknown, settings: unknown): (value: unknown) => Promise<unknown> {
  const name = text(slot, "A slot's name");
  if (isReserved(name) || indexOf(name, `${plugin}.`) !== 0) throw fail("slot_reserved", name);
  const options = optional(settings);
  add(registrations.slots, {
    handler: register("base", base),
    name,
    capability: options.capability === undefined ? null : names(options.capability, "capability"),
  });
  return (value) => request("slots.fire", given(name, value));
}

function registerPermissionRule(given: unknown): void {
  mayRegister();
  const rule = optional(given);
  add(registrations.rules, {
    tool: text(rule.tool, "A rule's tool"),
    ...(rule.pattern === undefined ? {} : { pattern: text(rule.pattern, "A rule's pattern") }),
    effect: oneOf(rule.effect, effects, "A rule's effect"),
  });
}

/** The id of an autocmd is its handler's number. */
function delAutocmd(id: unknown): void {
  if (registrationOver()) tell("autocmds.delete", given(id));
  else dropAutocmds((autocmd) => autocmd.handler === id);
}

function clearGroup(group: unknown): void {
  if (registrationOver()) tell("autocmds.clear", given(group));
  else dropAutocmds((autocmd) => autocmd.group === group);
}

function execAutocmds(plugin: string, event: unknown, settings: unknown): Promise<unknown> {
  return new Promise((ok) => {
    const events = names(event, "An event");
    for (let i = 0; i < events.length; i++) if (indexOf(events[i]!, `${plugin}:`) !== 0) throw fail("unknown_event", events[i]);
    ok(request("autocmds.exec", given(events, isObject(settings) ? settings : undefined)));
  });
}
