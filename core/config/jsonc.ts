import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { readBytes } from "./bytes.ts";
import { saysIssue } from "./issues.ts";

/** A settings file's text, and the path a person knows it by. */
export type Source = { path: string; text: string };

/** A value with the places its parts stand at. */
export type Placed<T> = {
  value: T;
  /** `file:line` of a part. */
  lineOf(path: readonly PropertyKey[]): string;
};

/** A problem at a place: `file:line:column: text`. */
export type Problem = { offset: number; text: string };

/** Reads a settings file; undefined where there is none. Throws `file_broken` for what is there and cannot be read as text. */
export async function readSource(path: string): Promise<Source | undefined> {
  try {
    const bytes = await readBytes(path);
    return bytes === undefined ? undefined : sourceOf(path, bytes);
  } catch (cause) {
    if (cause instanceof MortiseError) throw cause;
    throw new MortiseError("file_broken", { seen: `${path}: ${cause instanceof Error ? cause.message : String(cause)}`, cause });
  }
}

/** Throws `file_broken` for what is no UTF-8. */
export function sourceOf(path: string, bytes: Uint8Array): Source {
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (cause) {
    throw new MortiseError("file_broken", { seen: `${path}: it is not UTF-8`, cause });
  }
}

/** Parses JSON with comments and trailing commas by a schema. Throws `file_broken` with `file:line:column` and what was expected. */
export function parseJsonc<S extends z.core.$ZodType>(source: Source, schema: S): Placed<z.output<S>> {
  const { tree, problems } = parseTolerant(source);
  if (tree === undefined || problems.length > 0) throw broken(source, problems);
  const parsed = z.safeParse(schema, plainValue(tree));
  if (!parsed.success) throw broken(source, placeIssues(tree, schema, parsed.error.issues));
  const lineAt = createLines(source.text);
  return { value: parsed.data, lineOf: (path) => `${source.path}:${lineAt(nodeAt(tree, path).offset)}` };
}

/** The line of an offset, counted from 1. A text is looked through once, however many are asked for. */
function createLines(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let [from, to] = [0, starts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((starts[middle] ?? 0) <= offset) from = middle + 1;
      else to = middle;
    }
    return from;
  };
}

/** As much of a tree as the text gives, with every syntax error and every key that stands twice. */
export function parseTolerant(source: Source): { tree: Node | undefined; problems: Problem[] } {
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(source.text, errors, { allowTrailingComma: true });
    const problems = errors.map(({ offset, error }) => ({ offset, text: words(printParseErrorCode(error)) }));
    if (tree === undefined && problems.length === 0) problems.push({ offset: 0, text: "expected an object, at least {}" });
    return { tree, problems: [...problems, ...(tree === undefined ? [] : doubleKeys(tree))] };
  } catch {
    return { tree: undefined, problems: [{ offset: 0, text: "it is nested too deeply" }] };
  }
}

/** The plain value of a tree. Own properties only: a key `__proto__` is a key like any other. */
export function plainValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plainValue);
  if (node.type !== "object") return node.value;
  const value: Record<string, unknown> = {};
  for (const [key, item] of properties(node)) {
    Object.defineProperty(value, String(key.value), { value: plainValue(item), enumerable: true, writable: true, configurable: true });
  }
  return value;
}

export function placeIssues(tree: Node, schema: z.core.$ZodType, issues: readonly z.core.$ZodIssue[]): Problem[] {
  const value = plainValue(tree);
  return issues.map((issue) => {
    const { path, text } = saysIssue(issue, schema, value);
    const node = nodeAt(tree, path);
    return { offset: (issue.code === "unrecognized_keys" ? keyOf(node) : node).offset, text };
  });
}

/** `file:line:column: text`, for the first few. */
export function printProblems(source: Source, problems: readonly Problem[]): string {
  const shown = problems.slice(0, 3).map(({ offset, text }) => {
    const { line, column } = placeOf(source.text, offset);
    return `${source.path}:${line}:${column}: ${text}`;
  });
  return problems.length > 3 ? `${shown.join("; ")}; and ${problems.length - 3} more` : shown.join("; ");
}

/** Counted from 1; columns in UTF-16 units, as editors do. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}

function broken(source: Source, problems: readonly Problem[]): MortiseError {
  return new MortiseError("file_broken", { seen: printProblems(source, problems) });
}

function doubleKeys(node: Node): Problem[] {
  const seen = new Set<unknown>();
  const own =
    node.type !== "object"
      ? []
      : properties(node).flatMap(([key]) => {
          if (!seen.has(key.value)) {
            seen.add(key.value);
            return [];
          }
          return [{ offset: key.offset, text: `the key ${JSON.stringify(key.value)} stands here twice` }];
        });
  return [...own, ...(node.children ?? []).flatMap(doubleKeys)];
}

function properties(node: Node): [key: Node, value: Node][] {
  return (node.children ?? []).flatMap((property): [Node, Node][] => {
    const [key, value] = property.children ?? [];
    return key === undefined || value === undefined ? [] : [[key, value]];
  });
}

/** The node of a path, or the nearest one above where the part is missing. */
function nodeAt(tree: Node, path: readonly PropertyKey[]): Node {
  let at = tree;
  for (const part of path) {
    const next = at.type === "array" ? at.children?.[Number(part)] : properties(at).find(([key]) => key.value === part)?.[1];
    if (next === undefined) break;
    at = next;
  }
  return at;
}

function keyOf(node: Node): Node {
  return node.parent?.type === "property" ? (node.parent.children?.[0] ?? node) : node;
}

function words(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
