import type { Code } from "../../../sdk/errors.ts";
import type { BackgroundUse } from "./background.ts";
import type { GuestCall } from "./calls.ts";
import { createFlood, type Flood } from "./flood.ts";
import type { PluginIsolate } from "./plugin-isolate.ts";

/** A plugin in this runner. Its isolate is made on first use, and anew after it was lost. */
export type Resident = {
  plugin: number;
  name: string;
  memoryMb: number;
  code: string;
  /** JSON. */
  options: string;
  /** What it must register; null where it is being described. */
  manifest: unknown;
  live: Live | null;
};

/** An isolate with its plugin in it. */
export type Live = {
  resident: Resident;
  isolate: PluginIsolate;
  calls: Map<number, GuestCall>;
  timers: Map<number, NodeJS.Timeout>;
  /** Those who wait for setup; null once it has resolved. */
  waiting: Waiting[] | null;
  lastCall: number;
  lost: boolean;
  /** Processor time that no call asked for, since when. */
  background: BackgroundUse;
  flood: Flood;
  /** Waits to tell of what was not shown. */
  drops: NodeJS.Timeout | null;
};

export type Waiting = { ok: (live: Live) => void; no: (code: Code, message: string) => void };

export function createLive(resident: Resident, isolate: PluginIsolate): Live {
  return {
    resident,
    isolate,
    calls: new Map(),
    timers: new Map(),
    waiting: [],
    lastCall: 0,
    lost: false,
    background: { since: 0, cpuMs: 0 },
    flood: createFlood(),
    drops: null,
  };
}
