import { MortiseError } from "../sdk/errors.ts";
import { type Packed, pack, unpack } from "../sdk/wire.ts";
import type { ActiveCall } from "./active-call.ts";
import type { Caller, Methods, RunningTool } from "./capabilities/capabilities.ts";
import { isGated, requireGrant } from "./capabilities/granted.ts";
import type { Contexts, RunningCommand } from "./contexts.ts";
import { createHeldTexts, type HeldTexts } from "./held-texts.ts";
import type { HostCall } from "./isolate/isolates.ts";
import type { PluginMethod } from "./plugin-methods.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";

export type BridgeHost = {
  cwd: string;
  plugin(name: string): LoadedPlugin | undefined;
  contexts: Contexts;
  /** Methods that a grant gates; they check it themselves. */
  methods: Methods;
  pluginMethods: Readonly<Record<string, PluginMethod>>;
  /** Stand in for methods, for tests. */
  fakes: Readonly<Record<string, (...args: unknown[]) => unknown>>;
};

/** The one door for requests of plugin code: finds the method, and who asks for which call. */
export function createBridge(host: BridgeHost): (call: HostCall) => Promise<Packed> {
  return async ({ plugin, callKey, method, args }) => {
    const loaded = host.plugin(plugin);
    if (loaded === undefined) throw new MortiseError("unknown_plugin", { seen: plugin });
    const given: unknown = unpack(args);
    if (!Array.isArray(given)) throw new MortiseError("wrong_argument", { seen: method, plugin });
    const context = host.contexts.get(callKey);
    const call = context?.call ?? null;
    const caller: Caller = {
      plugin,
      granted: loaded.granted,
      call:
        call === null
          ? callerOfCommand(context?.command, host.cwd)
          : { ...callerOf(call), ...(context?.kind === "tool" ? { running: runningOf(call), hold: holderOf(call) } : {}) },
    };
    if (Object.hasOwn(host.fakes, method)) {
      // What stands in for a method costs what the method costs.
      if (isGated(method)) requireGrant(method, caller);
      return pack(await host.fakes[method]?.(...given));
    }
    const own = Object.hasOwn(host.pluginMethods, method) ? host.pluginMethods[method] : undefined;
    if (own !== undefined) return pack(await own(given, caller, context));
    const gated = Object.hasOwn(host.methods, method) ? host.methods[method] : undefined;
    if (gated === undefined) throw new MortiseError("unknown_method", { seen: method, plugin });
    return pack(await gated(given, caller));
  };
}

function holderOf(call: ActiveCall): HeldTexts["hold"] {
  return (parts) => {
    call.held ??= createHeldTexts();
    return call.held.hold(parts);
  };
}

function callerOf({ toolId, sessionId, deadline, cwd, live }: ActiveCall): NonNullable<Caller["call"]> {
  return { toolId, sessionId, signal: deadline.signal, cwd, live };
}

function callerOfCommand(command: RunningCommand | undefined, cwd: string): Caller["call"] {
  if (command === undefined) return null;
  return { toolId: command.id, sessionId: command.sessionId, signal: command.deadline.signal, cwd, live: () => {} };
}

function runningOf({ tool, yolo, permitted }: ActiveCall): RunningTool {
  return { tool: tool.name, permitted, ...(yolo === undefined ? {} : { yolo }) };
}
