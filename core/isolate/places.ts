import { type Code, MortiseError, sentence } from "../../sdk/errors.ts";
import type { Failure } from "./isolates.ts";
import type { Runner } from "./runner.ts";
import type { Version } from "./versions.ts";

/** Where a plugin's code can run now: a runner, or nowhere, and why. */
export type Place = { runner: Runner } | { failure: Failure };

export type Places = {
  of(version: Version): Place;
  /** Whether the isolates are closed: nothing is run again. */
  closed(): boolean;
  /** A call of the plugin went well. */
  clean(plugin: string): void;
};

export function failureOf(code: Code, plugin: string, seen?: string): Failure {
  return { code, message: sentence(code, seen), plugin };
}

/** What the host itself threw. */
export function thrownBy(error: unknown, plugin: string): Failure {
  if (error instanceof MortiseError) return { code: error.code, message: error.message, plugin: error.plugin ?? plugin };
  return failureOf("internal", plugin, error instanceof Error ? error.message : String(error));
}
