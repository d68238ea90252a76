import { createRequire } from "node:module";
import type IsolatedVm from "isolated-vm";
import type { Code } from "../../../sdk/errors.ts";
import { GLOBALS, IN } from "../../../sdk/turn.ts";
import { bridge, type Printer } from "./bridge.ts";

// The host says where it is, since only the host sees the whole disk.
const ivm: typeof IsolatedVm = createRequire(import.meta.url)(process.argv[2] ?? "isolated-vm");
// Node's permission model lets an addon be loaded from anywhere, and an addon may do what the user may: this one is the last.
Reflect.deleteProperty(process, "dlopen");

export type Prelude = { code: string; tables: string; describer: string };

export type Turned = { cpuMs: number; box: unknown } | { cpuMs: number; lost: Code };

export type PluginIsolate = {
  /** One timed, synchronous turn. `lost` says that the isolate was ended, and why. */
  turn(args: readonly Primitive[], timeoutMs: number): Turned;
  dispose(): void;
};
export type Primitive = string | number | undefined;

const TIMED_OUT = "Script execution timed out.";
const COLLECT_MS = 50;
const PRELUDE_MS = 1_000;

/** `onLate` is told of rejections that plugin code handled nowhere, `print` of what a program prints. */
export type MakeIsolate = (memoryMb: number, describing: boolean, onLate: (text: string) => void, print?: Printer) => PluginIsolate;

/** Makes isolates that hold the prelude and no plugin yet. */
export function createIsolateMaker(prelude: Prelude): MakeIsolate {
  let cachedData: IsolatedVm.ExternalCopy<ArrayBuffer> | undefined;

  return (memoryMb, describing, onLate, print) => {
    const isolate = new ivm.Isolate({ memoryLimit: memoryMb });
    const context = isolate.createContextSync();
    const { global } = context;
    global.setSync(
      GLOBALS.bridge,
      new ivm.Callback((what: unknown, first: unknown, second: unknown, third: unknown) => bridge(what, first, second, third, print)),
    );
    global.setSync(GLOBALS.tables, prelude.tables);
    if (describing) isolate.compileScriptSync(prelude.describer, { filename: "mortise/describe" }).runSync(context, { timeout: PRELUDE_MS });
    const script = isolate.compileScriptSync(prelude.code, {
      filename: "mortise/guest",
      ...(cachedData === undefined ? { produceCachedData: true } : { cachedData }),
    });
    cachedData ??= (script as { cachedData?: IsolatedVm.ExternalCopy<ArrayBuffer> }).cachedData;
    script.runSync(context, { timeout: PRELUDE_MS });
    const door = global.getSync(GLOBALS.turn, { reference: true });
    global.deleteSync(GLOBALS.turn);
    const enter = (args: readonly Primitive[], timeout: number): unknown =>
      door.applySync(undefined, args as Primitive[], { timeout, result: { copy: true } });

    return { turn, dispose };

    function turn(args: readonly Primitive[], timeoutMs: number): Turned {
      const before = isolate.cpuTime;
      const began = performance.now();
      // An isolate that was ended does not tell its processor time any more.
      const cpuMs = (): number => (isolate.isDisposed ? performance.now() - began : Number(isolate.cpuTime - before) / 1e6);
      try {
        return { box: enter(args, timeoutMs), cpuMs: cpuMs() };
      } catch (error) {
        const lost = lostBy(error);
        if (lost !== undefined) return { lost, cpuMs: cpuMs() };
        // A rejection that nobody handled takes the place of what the turn said: it is still there to collect.
        onLate(textOf(error));
      }
      try {
        return { box: enter([IN.collect], COLLECT_MS), cpuMs: cpuMs() };
      } catch (error) {
        return { lost: lostBy(error) ?? "isolate_lost", cpuMs: cpuMs() };
      }
    }

    function lostBy(error: unknown): Code | undefined {
      if (isolate.isDisposed) return "memory_exceeded";
      return error instanceof Error && error.message === TIMED_OUT ? "slice_overrun" : undefined;
    }

    function dispose(): void {
      if (!isolate.isDisposed) isolate.dispose();
    }
  };
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.slice(0, 2_000);
}
