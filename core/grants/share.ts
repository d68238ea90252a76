import { type Capability, capabilityNames } from "../../sdk/contract.ts";
import type { Asks } from "../../sdk/wire.ts";
import type { Granted } from "../capabilities/capabilities.ts";

/** Capabilities and slots to steer: asked for, or granted. */
export type Share = { capabilities: Granted; steer: readonly string[] };

export const nothing: Share = { capabilities: {}, steer: [] };

/** Asks as a share: an empty list of scopes asks for nothing. */
export function shareOf(asks: Asks, steer: readonly string[]): Share {
  return { capabilities: eachCapability((name) => asks[name]), steer };
}

/** What both hold. Scopes are compared as they are written: what a wider scope would cover is not worked out. */
export function common(a: Share, b: Share): Share {
  return {
    capabilities: eachCapability((name) => {
      const [one, other] = [a.capabilities[name], b.capabilities[name]];
      if (one === true) return other;
      return other === true ? one : one?.filter((scope) => other?.includes(scope));
    }),
    steer: a.steer.filter((slot) => b.steer.includes(slot)),
  };
}

/** What either holds. */
export function union(a: Share, b: Share): Share {
  return {
    capabilities: eachCapability((name) => {
      const [one, other] = [a.capabilities[name], b.capabilities[name]];
      return one === true || other === true ? true : [...new Set([...(one ?? []), ...(other ?? [])])];
    }),
    steer: [...new Set([...a.steer, ...b.steer])],
  };
}

/** What the first holds and the second does not. */
export function missing(a: Share, b: Share): Share {
  return {
    capabilities: eachCapability((name) => {
      const [one, other] = [a.capabilities[name], b.capabilities[name]];
      if (other === true) return undefined;
      return one === true ? true : one?.filter((scope) => !other?.includes(scope));
    }),
    steer: a.steer.filter((slot) => !b.steer.includes(slot)),
  };
}

export function isNothing({ capabilities, steer }: Share): boolean {
  return steer.length === 0 && Object.keys(capabilities).length === 0;
}

/** `run, fs_read: src/**, steer tool.*.output` */
export function printShare({ capabilities, steer }: Share): string {
  const parts = capabilityNames.flatMap((name) => {
    const held = capabilities[name];
    return held === undefined ? [] : [held === true ? name : `${name}: ${held.join(" ")}`];
  });
  return [...parts, ...steer.map((slot) => `steer ${slot}`)].join(", ");
}

function eachCapability(of: (name: Capability) => true | readonly string[] | undefined): Granted {
  const granted: Granted = {};
  for (const name of capabilityNames) {
    const held = of(name);
    if (held === true || (held !== undefined && held.length > 0)) granted[name] = held;
  }
  return granted;
}
