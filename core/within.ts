import { createContext, Script } from "node:vm";

const context: { run?: () => void } = {};
let script: Script | undefined;

/** The value of a function; undefined where it was ended after so many milliseconds, which reaches into regular expressions too. */
export function within<T>(ms: number, run: () => T): { value: T } | undefined {
  let done: { value: T } | undefined;
  context.run = () => {
    done = { value: run() };
  };
  if (script === undefined) createContext(context);
  script ??= new Script("run()");
  try {
    script.runInContext(context, { timeout: ms });
  } catch (error) {
    if (!isLate(error)) throw error;
  } finally {
    delete context.run;
  }
  return done;
}

function isLate(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
