import { putLog } from "./calls.ts";
import { fail, why } from "./failures.ts";
import { add, isFunction, type List, list, NativeTypeError } from "./primordials.ts";

type Listener = { run: (event: { type: "abort"; target: AbortSignal }) => unknown; given: unknown };

let fire: (signal: AbortSignal, reason: unknown) => void;
let allowed = false;

export class AbortSignal {
  #aborted = false;
  #reason: unknown = undefined;
  #listeners: List<Listener> = list();
  onabort: Listener["run"] | null = null;

  static {
    fire = (signal, reason) => {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason;
      const listeners = signal.#listeners;
      signal.#listeners = list();
      if (isFunction(signal.onabort)) run(signal.onabort, signal);
      for (let i = 0; i < listeners.length; i++) run(listeners[i]!.run, signal);
    };
  }

  constructor() {
    if (!allowed) throw new NativeTypeError("Illegal constructor");
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  /** An abort comes once, so every listener is one for once. */
  addEventListener(type: string, listener: Listener["run"] | { handleEvent: Listener["run"] }): void {
    if (type !== "abort" || this.#aborted) return;
    add(this.#listeners, { run: typeof listener === "function" ? listener : (event) => listener.handleEvent(event), given: listener });
  }

  removeEventListener(type: string, listener: unknown): void {
    if (type !== "abort") return;
    const kept = list<Listener>();
    for (let i = 0; i < this.#listeners.length; i++) if (this.#listeners[i]!.given !== listener) add(kept, this.#listeners[i]!);
    this.#listeners = kept;
  }

  static abort(reason: unknown = fail("cancelled")): AbortSignal {
    const { signal, abort } = abortController();
    abort(reason);
    return signal;
  }

  static any(signals: readonly AbortSignal[]): AbortSignal {
    const { signal, abort } = abortController();
    for (let i = 0; i < signals.length; i++) {
      const source = signals[i]!;
      if (source.aborted) abort(source.reason);
      else source.addEventListener("abort", () => abort(source.reason));
    }
    return signal;
  }
}

export class AbortController {
  #signal: AbortSignal;

  constructor() {
    this.#signal = newSignal();
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  abort(reason: unknown = fail("cancelled")): void {
    fire(this.#signal, reason);
  }
}

/** A signal with the function that fires it. */
export function abortController(): { signal: AbortSignal; abort: (reason: unknown) => void } {
  const signal = newSignal();
  return { signal, abort: (reason) => fire(signal, reason) };
}

function newSignal(): AbortSignal {
  allowed = true;
  try {
    return new AbortSignal();
  } finally {
    allowed = false;
  }
}

function run(listener: Listener["run"], signal: AbortSignal): void {
  try {
    listener({ type: "abort", target: signal });
  } catch (error) {
    const reason = why(error);
    putLog("error", reason.stack ?? reason.text);
  }
}
