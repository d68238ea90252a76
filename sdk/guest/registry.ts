import { kindOf } from "./checks.ts";
import { fail } from "./failures.ts";
import type { Handler, InvokeKind } from "./invocations.ts";
import type { LayerHandler } from "./layers.ts";
import { add, isArray, isFunction, isObject, type List, list } from "./primordials.ts";

export type Registered = { kind: "layer"; run: LayerHandler } | { kind: InvokeKind; run: Handler };

/** What the plugin registers, as the manifest says it. */
export type Registrations = {
  layers: List<unknown>;
  judges: List<unknown>;
  redactors: List<unknown>;
  autocmds: List<{ handler: number; group: string | null }>;
  slots: List<unknown>;
  tools: List<unknown>;
  commands: List<unknown>;
  rules: List<unknown>;
};

const handlers = list<Registered | null>();
let over = false;

export const registrations: Registrations = {
  layers: list(),
  judges: list(),
  redactors: list(),
  autocmds: list(),
  slots: list(),
  tools: list(),
  commands: list(),
  rules: list(),
};

/** Gives a handler its number. */
export function register(kind: "layer", run: unknown): number;
export function register(kind: InvokeKind, run: unknown): number;
export function register(kind: string, run: unknown): number {
  mayRegister();
  if (!isFunction(run)) throw fail("plugin_invalid", `${kindOf(run)} instead of a function`);
  return add(handlers, { kind, run } as Registered) - 1;
}

export function mayRegister(): void {
  if (over) throw fail("registered_late");
}

export const endRegistration = (): void => {
  over = true;
};
export const registrationOver = (): boolean => over;
export const handlerOf = (number: number): Registered | null => handlers[number] ?? null;

export function dropAutocmds(matches: (autocmd: { handler: number; group: string | null }) => boolean): void {
  const kept = list<{ handler: number; group: string | null }>();
  for (let i = 0; i < registrations.autocmds.length; i++) {
    const autocmd = registrations.autocmds[i]!;
    if (matches(autocmd)) handlers[autocmd.handler] = null;
    else add(kept, autocmd);
  }
  registrations.autocmds = kept;
}

/** One name or several, as an array of its own. */
export function names(value: unknown, what: string): string[] {
  if (value === undefined) return [];
  const given = isArray(value) ? value : [value];
  const kept: string[] = [];
  for (let i = 0; i < given.length; i++) kept[i] = text(given[i], what);
  return kept;
}

export function text(value: unknown, what: string): string {
  if (typeof value !== "string" || value === "")
    throw fail("plugin_invalid", value === "" ? `${what} is empty` : `${what} is ${kindOf(value)}, not a text`);
  return value;
}

export function optional(value: unknown): Record<PropertyKey, unknown> {
  return isObject(value) ? value : {};
}

export function oneOf<T extends string>(value: unknown, allowed: readonly T[], what: string): T {
  let known = "";
  for (let i = 0; i < allowed.length; i++) {
    if (allowed[i] === value) return allowed[i]!;
    known += `${i === 0 ? "" : ", "}${allowed[i]}`;
  }
  throw fail("plugin_invalid", `${what} is ${typeof value === "string" ? value : kindOf(value)}, not one of ${known}`);
}
