import * as z from "zod/mini";
import { quoteWithClose } from "../close-names.ts";

type Issue = z.core.$ZodIssue;

/** Says what a schema expected, and at which part of the value. */
export function saysIssue(issue: Issue, schema: z.core.$ZodType, value: unknown): { path: PropertyKey[]; text: string } {
  const deepest = unwrap(issue);
  const key = deepest.path.at(-1);
  const seen = deepest.code === "invalid_key" ? key : at(value, deepest.path);
  if (deepest.code === "unrecognized_keys") {
    const [unknown = ""] = deepest.keys;
    return { path: [...deepest.path, unknown], text: `unknown key ${quoteWithClose(unknown, keysAt(schema, deepest.path))}` };
  }
  if (seen === undefined && key !== undefined)
    return { path: deepest.path, text: `${JSON.stringify(String(key))} is missing: ${expected(deepest, undefined)}` };
  return { path: deepest.path, text: `${expected(deepest, seen)}, got ${brief(seen)}` };
}

function expected(issue: Issue, seen: unknown): string {
  // A schema that knows better than its type says so itself.
  if (issue.message !== "Invalid input" && issue.message !== "") return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `expected ${article(issue.expected)}`;
    case "invalid_value": {
      const close = typeof seen === "string" ? quoteWithClose(seen, issue.values.map(String)).split("; ")[1] : undefined;
      return `expected ${list(issue.values.map((item) => JSON.stringify(item)))}${close === undefined ? "" : ` (${close})`}`;
    }
    case "too_small":
      return issue.origin === "number" ? `expected ${issue.minimum} or more` : "expected something that is not empty";
    case "too_big":
      return `expected ${issue.maximum} or less`;
    case "invalid_union":
      return `expected ${list(issue.errors.flatMap((branch) => branch.slice(0, 1).map((inner) => expected(inner, seen).replace(/^expected /, ""))))}`;
    case "invalid_key":
      return issue.issues[0] === undefined ? "expected another key" : expected(issue.issues[0], seen);
    default:
      return "expected something else";
  }
}

/** Of a union, the branch that got furthest says most. */
function unwrap(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.flat().sort((a, b) => b.path.length - a.path.length)[0];
  return inner === undefined || inner.path.length === 0 ? issue : unwrap({ ...inner, path: [...issue.path, ...inner.path] });
}

/** The keys a schema knows at a part of its value. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodMiniOptional) return keysAt(schema._zod.def.innerType, path);
  if (schema instanceof z.ZodMiniUnion) return schema._zod.def.options.flatMap((option) => keysAt(option, path));
  const [part, ...rest] = path;
  if (schema instanceof z.ZodMiniObject) {
    if (part === undefined) return Object.keys(schema._zod.def.shape);
    const next = schema._zod.def.shape[String(part)];
    return next === undefined ? [] : keysAt(next, rest);
  }
  if (part === undefined) return [];
  if (schema instanceof z.ZodMiniRecord) return keysAt(schema._zod.def.valueType, rest);
  return schema instanceof z.ZodMiniArray ? keysAt(schema._zod.def.element, rest) : [];
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (typeof part === "object" && part !== null ? Reflect.get(part, key) : undefined), value);
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

function article(type: string): string {
  if (type === "int") return "a whole number";
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}
