import { isDeepStrictEqual } from "node:util";
import { type Code, sentence } from "../../../sdk/errors.ts";
import { IN } from "../../../sdk/turn.ts";
import type { PluginIsolate } from "./plugin-isolate.ts";
import { createLive, type Live, type Resident } from "./residents.ts";
import type { Speech } from "./speech.ts";
import type { StartedCall, Turns } from "./turns.ts";

export type Loading = {
  /** Calls back with the plugin's isolate once its setup has resolved; makes it where there is none. */
  open(resident: Resident, ok: (live: Live) => void, no: (code: Code, message: string) => void): void;
  /** Runs setup in an isolate of its own, which is ended after it. */
  describe(resident: Resident, ok: (manifest: string) => void, no: (code: Code, message: string) => void): void;
};

type Make = (memoryMb: number, describing: boolean, onLate: (text: string) => void) => PluginIsolate;

/** Processor and wall time of setup, in milliseconds. */
const SETUP = { sliceMs: 1_000, budgetMs: 2_000, windowMs: 5_000 };

export function createLoading(make: Make, turns: Turns, speech: Speech): Loading {
  return {
    open(resident, ok, no) {
      if (resident.live !== null) {
        if (resident.live.waiting === null) ok(resident.live);
        else resident.live.waiting.push({ ok, no });
        return;
      }
      const live = begin(resident, false);
      if (live === null) return no("memory_exceeded", sentence("memory_exceeded"));
      live.waiting = [{ ok, no }];
      resident.live = live;
      const failed = (code: Code, message: string): void => {
        const { waiting } = live;
        live.waiting = null;
        turns.lose(live);
        for (const each of waiting ?? []) each.no(code, message);
      };
      setUp(live, failed, (manifest) => {
        if (!sameRegistrations(manifest, resident.manifest)) return failed("manifest_changed", sentence("manifest_changed"));
        const { waiting } = live;
        live.waiting = null;
        for (const each of waiting ?? []) each.ok(live);
      });
    },
    describe(resident, ok, no) {
      const live = begin(resident, true);
      if (live === null) return no("memory_exceeded", sentence("memory_exceeded"));
      setUp(
        live,
        (code, message) => {
          turns.lose(live);
          no(code, message);
        },
        (manifest) => {
          turns.lose(live);
          ok(manifest);
        },
      );
    },
  };

  /** Null where the prelude does not fit into the plugin's memory. */
  function begin(resident: Resident, describing: boolean): Live | null {
    const onLate = (text: string): void => speech.log(resident.plugin, "error", `Nobody handled: ${text}`);
    try {
      return createLive(resident, make(resident.memoryMb, describing, onLate));
    } catch (error) {
      speech.log(resident.plugin, "error", `No isolate could be made: ${String(error)}`);
      return null;
    }
  }

  function setUp(live: Live, failed: (code: Code, message: string) => void, done: (manifest: string) => void): void {
    const call: StartedCall = {
      ...SETUP,
      kind: IN.load,
      handler: -1,
      of: 0,
      args: [live.resident.code, live.resident.options],
      inbox: [],
      said: { answer: (draft) => done(draft.value.json ?? "null"), verdict: () => failed("plugin_invalid", sentence("plugin_invalid")), failed },
    };
    turns.start(live, call);
  }
}

/** Schemas are said only where a plugin is described. */
function sameRegistrations(manifest: string, expected: unknown): boolean {
  return isDeepStrictEqual(withoutSchemas(JSON.parse(manifest)), withoutSchemas(expected));
}

function withoutSchemas(manifest: unknown): unknown {
  return JSON.parse(JSON.stringify(manifest, (key, value: unknown) => (key === "inputSchema" ? null : value)));
}
