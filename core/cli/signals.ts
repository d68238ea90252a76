/** How long a command may take to end what it started, in milliseconds. */
const GRACE_MS = 10_000;

const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

export type Signals = {
  /** Aborted by the first signal. */
  aborted: AbortSignal;
  /** 128 and the signal's number, once there was one. */
  exitCode(): number | undefined;
};

/** From here on signals cancel what runs instead of ending the process; it is ended when that takes too long. */
export function watchSignals(): Signals {
  const controller = new AbortController();
  let exitCode: number | undefined;
  for (const [name, number] of Object.entries(numbers)) {
    // Terminals and package runners may send one signal twice, so a second one changes nothing.
    const onSignal = () => {
      if (exitCode !== undefined) return;
      exitCode = 128 + number;
      setTimeout(() => process.exit(exitCode), GRACE_MS).unref();
      controller.abort();
    };
    process.on(name, onSignal);
    // It may have come while this was loaded.
    if (Reflect.get(process, Symbol.for("mortise.signal")) === name) onSignal();
  }
  return { aborted: controller.signal, exitCode: () => exitCode };
}
