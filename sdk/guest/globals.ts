import { AbortController, AbortSignal } from "./abort.ts";
import { atob, btoa } from "./base64.ts";
import { ask } from "./bridge.ts";
import { structuredClone } from "./clone.ts";
import { guestConsole } from "./console.ts";
import { hidden } from "./harden.ts";
import { freeze, isFunction, NativeTypeError, settle } from "./primordials.ts";
import { URLSearchParams } from "./search-params.ts";
import { TextDecoder, TextEncoder } from "./text-encoding.ts";
import { clearTimer, guarded, setInterval, setTimeout } from "./timers.ts";
import { URL } from "./url.ts";

/** Puts the globals of an isolate in place; sdk/globals.d.ts declares the same ones. */
export function installGlobals(): void {
  const globals = {
    AbortController,
    AbortSignal,
    URL,
    URLSearchParams,
    TextDecoder,
    TextEncoder,
    atob,
    btoa,
    clearInterval: clearTimer,
    clearTimeout: clearTimer,
    console: guestConsole,
    crypto: freeze({ randomUUID: () => ask("uuid") }),
    queueMicrotask,
    setInterval,
    setTimeout,
    structuredClone,
  };
  for (const [name, value] of Object.entries(globals)) hidden(globalThis, name, value);
}

function queueMicrotask(callback: unknown): void {
  if (!isFunction(callback)) throw new NativeTypeError("queueMicrotask needs a function");
  settle(
    undefined,
    () => guarded(() => void callback()),
    () => {},
  );
}
