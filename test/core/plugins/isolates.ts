import { onTestFinished } from "vitest";
import { createIsolates } from "../../../core/isolate/create-isolates.ts";
import type { Isolates } from "../../../core/isolate/isolates.ts";
import { NOTHING } from "../../../sdk/wire.ts";

/** Real isolates that answer no capability, ended after the test. */
export function freshIsolates(): Isolates {
  const isolates = createIsolates({ onHostCall: async () => NOTHING, onEvent: () => {}, spare: false });
  onTestFinished(() => isolates.close());
  return isolates;
}
