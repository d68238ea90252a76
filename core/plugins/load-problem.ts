import { isCode, MortiseError } from "../../sdk/errors.ts";
import type { Problem } from "../host-types.ts";
import type { BuildSource } from "./build.ts";
import type { PluginEntry } from "./discover.ts";
import type { BuiltPlugin, Origin } from "./plugin.ts";

/** What a person should know about a plugin's file. */
export type PluginProblem = Problem & { path: string };

/** The program of an embedding host and the package itself fail as a whole; files that people edit fail one by one. */
export function keptOnFailure(origin: Origin): boolean {
  return origin === "user" || origin === "project" || origin === "command_line";
}

/** What a plugin is known by before its name is. */
export function keyOf(source: BuildSource): string {
  return "prebuilt" in source ? source.prebuilt : "path" in source ? source.path : source.name;
}

export function problemOf({ source }: PluginEntry, cause: unknown): PluginProblem {
  const code = cause instanceof MortiseError && isCode(cause.code) ? cause.code : "internal";
  const plugin = cause instanceof MortiseError ? (cause.plugin ?? null) : null;
  return { severity: "error", code, plugin, message: cause instanceof Error ? cause.message : String(cause), path: keyOf(source) };
}

export function grantProblem({ manifest, path }: BuiltPlugin, problem: { code: string; message: string }): PluginProblem {
  return { ...problem, severity: "warning", plugin: manifest.name, path };
}
