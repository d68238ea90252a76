import { MortiseError, seenIn } from "../../sdk/errors.ts";
import type { Failure } from "./isolates.ts";

/** A failure of plugin code, for whoever called it to catch. */
export function asError({ code, message, plugin }: Failure): MortiseError {
  return new MortiseError(code, { seen: seenIn(code, message), plugin });
}
