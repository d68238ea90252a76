import type * as z from "zod/mini";
import { capabilityNames } from "../../sdk/contract.ts";
import { Manifest } from "../../sdk/wire.ts";
import { quoteWithClose } from "../close-names.ts";

/** Fields of a definition; the rest of a manifest is what was registered. */
const definitionFields = ["name", "version", "description", "capabilities", "steer", "isolation", "memoryMb", "options"];

/** What is wrong with a manifest, in a few words for each fault; undefined where it is one. */
export function manifestFaults(raw: unknown): string | undefined {
  const parsed = Manifest.safeParse(raw);
  if (!parsed.success) return parsed.error.issues.slice(0, 3).map(fault).join("; ");
  // A field that nobody knows, as a misspelt capability, is not passed over in silence.
  const unknown = differing(raw, parsed.data);
  return unknown === undefined ? undefined : unknownField(unknown);
}

function fault({ path, message, ...issue }: z.core.$ZodIssue): string {
  const [first, second] = path;
  const at = path.map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`)).join("");
  if (first === "name") return "name: lower case letters, digits, - and _, beginning with a letter, 64 characters at most";
  if (first === "capabilities" && second !== undefined) return `${at}: expected true or a list of scopes`;
  if (issue.code === "invalid_value" && "values" in issue)
    return `${at}: expected one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (first === "tools" && path.at(-1) === "name") return `${at}: letters, digits, - and _, not beginning with a digit, 64 characters at most`;
  if (first === "commands" && path.at(-1) === "name")
    return `${at}: letters, digits, - and _, beginning with a letter or digit and without a slash, 64 characters at most`;
  return `${at}: ${message === "Invalid input" ? "not valid" : message}`;
}

function unknownField(path: readonly string[]): string {
  const [first = "", second] = path;
  if (path.length === 1) return `a definition has no field ${quoteWithClose(first, definitionFields)}`;
  if (first === "capabilities" && second !== undefined) return `capabilities.${second}: no capability has this name${meant(second)}`;
  return `${path.join(".")}: not known here`;
}

function meant(name: string): string {
  const [, close] = quoteWithClose(name, capabilityNames).split("; ");
  return close === undefined ? `; there are ${capabilityNames.join(", ")}` : `; ${close}`;
}

/** Where two values differ first, or undefined. */
function differing(first: unknown, second: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof first !== "object" || first === null || typeof second !== "object" || second === null) return first === second ? undefined : path;
  const [all, known] = [new Map(Object.entries(first)), new Map(Object.entries(second))];
  for (const name of all.keys()) {
    const at = [...path, name];
    const found = known.has(name) ? differing(all.get(name), known.get(name), at) : at;
    if (found !== undefined) return found;
  }
  return undefined;
}
