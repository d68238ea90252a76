import { type Capability, capabilities, capabilityNames, freeMethods } from "../../sdk/contract.ts";
import { MortiseError } from "../../sdk/errors.ts";
import type { Caller, Methods } from "./capabilities.ts";

const priced = new Map<string, Capability>(capabilityNames.flatMap((name) => capabilities[name].methods.map((method) => [method, name] as const)));
const free = new Set<string>(freeMethods);

/** The same methods, each refused with `not_granted` where the caller lacks the capability that the contract names for it. */
export function gated(methods: Methods): Methods {
  const table: Record<string, Methods[string]> = Object.create(null);
  for (const [name, method] of Object.entries(methods)) {
    table[name] = async (args, caller) => {
      requireGrant(name, caller);
      return method(args, caller);
    };
  }
  return table;
}

/** Whether a method costs a capability. */
export function isGated(method: string): boolean {
  return priced.has(method);
}

/** Throws `not_granted` unless the caller was granted the method's capability, all of it or in part. What the contract does not name is refused. */
export function requireGrant(method: string, caller: Caller): void {
  if (free.has(method)) return;
  const capability = priced.get(method);
  if (capability === undefined) throw notGranted(caller, method);
  if (caller.granted[capability] === undefined) throw notGranted(caller, capability);
}

/** The scopes of a grant, or `true` for all of it. */
export function scopesOf(caller: Caller, capability: Capability): true | readonly string[] {
  return caller.granted[capability] ?? [];
}

/** @param what The capability, and what of it. */
export function notGranted(caller: Caller, what: string): MortiseError {
  return new MortiseError("not_granted", { seen: `${what}, asked for by ${caller.plugin}`, plugin: caller.plugin });
}
