import type { Shape, Verdict } from "../contract.ts";
import { hasOwn, indexOf, parse, slice } from "./primordials.ts";

/** What the host tells every isolate of the contract, as JSON: the prelude itself carries no zod. */
export type GuestTables = {
  slots: Record<string, GuestSpec>;
  declared: GuestSpec;
  events: Record<string, true>;
  reserved: string[];
  limits: { blobChars: number; payloadChars: number; framesPerTurn: number; errorChars: number };
};
export type GuestSpec = {
  shape: "record" | "any" | "sources" | Record<string, Shape>;
  verdicts: Partial<Record<Verdict, true>>;
  passing: "values" | "fixed";
  /** The value is `{ text, isError, data? }`, with `data` kept apart. */
  output: boolean;
};

let tables: GuestTables | undefined;

export function setTables(json: string): void {
  tables = parse(json) as GuestTables;
}

export function guestTables(): GuestTables {
  if (tables === undefined) throw new RangeError("No tables");
  return tables;
}

/** The entry for a key of the contract; any other slot is declared by a plugin. */
export function specOf(key: string): GuestSpec {
  const { slots, declared } = guestTables();
  return hasOwn(slots, key) ? slots[key]! : declared;
}

/** Whether the host has this slot. */
export function isHostSlot(name: string): boolean {
  return hasOwn(guestTables().slots, name) || toolStage(name) !== null;
}

export function toolStage(name: string): "input" | "output" | null {
  if (slice(name, 0, 5) !== "tool.") return null;
  if (name.length > 11 && slice(name, -6) === ".input") return "input";
  return name.length > 12 && slice(name, -7) === ".output" ? "output" : null;
}

export function isReserved(name: string): boolean {
  const { reserved } = guestTables();
  for (let i = 0; i < reserved.length; i++) if (indexOf(name, reserved[i]!) === 0) return true;
  return false;
}
