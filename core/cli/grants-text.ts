import { missing, printShare, type Share, shareOf } from "../grants/share.ts";
import type { PluginInfo } from "../host-types.ts";

/** What a plugin asks for, in a few words; empty where it asks for nothing. */
export function asksOf(plugin: PluginInfo): string {
  return printShare(asked(plugin));
}

/** What it was granted of that. */
export function grantsOf(plugin: PluginInfo): string {
  return printShare(held(plugin));
}

/** What it asks for and was not granted. */
export function waitsFor(plugin: PluginInfo): string {
  return printShare(missing(asked(plugin), held(plugin)));
}

function asked({ asks, steer }: PluginInfo): Share {
  return shareOf(asks, steer);
}

function held({ granted, grantedSteer }: PluginInfo): Share {
  return { capabilities: granted, steer: grantedSteer };
}
