import * as z from "zod/mini";
import type { Syntax } from "../syntax/syntax.ts";
import type { Scope, ScopeList } from "./permission.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import type { RealPaths } from "./real-paths.ts";
import { shellScopes } from "./shell-scopes.ts";

export type ScopesRequest = {
  tool: string;
  input: Record<string, unknown>;
  /** What the tool's `scopes` callback answered, unparsed; `"none"` where the tool says so; undefined where it failed. */
  declared: unknown;
  /** Where the call runs. */
  cwd: string;
};

/** Where the scopes of one call are worked out. */
export type Place = {
  syntax: Pick<Syntax, "understand">;
  /** Canonical. */
  project: string;
  real: RealPaths;
  protectedPaths: ProtectedPaths;
  /** Whether a file holds secrets, so that a command which reads it asks. The path is canonical. */
  isSecret(path: string): boolean;
};

/** Scopes of one call that are looked at; a call of more is asked about, with the deny rules tried on these. */
const MAX_SCOPES = 1_000;

/** What makes text more than the words of one command. */
const SHELL_TEXT = /[;&|<>()`$\\'"\r\n\0]/;

const Text = z.string().check(z.minLength(1));
const Declared = z.object({
  scopes: z
    .array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("shell"), command: z.string(), cwd: z.optional(z.string()) }),
        z.object({ kind: z.literal("command"), text: Text }),
        z.object({ kind: z.literal("path"), path: Text, access: z.enum(["read", "write"]) }),
        z.object({ kind: z.literal("url"), url: Text }),
        z.object({ kind: z.literal("code"), text: Text }),
        z.object({ kind: z.literal("other"), text: Text }),
      ]),
    )
    .check(z.minLength(1)),
  forcePrompt: z.optional(z.boolean()),
});
type DeclaredScope = z.infer<typeof Declared>["scopes"][number];

/** What a call would do. What is not understood becomes one scope that forces a prompt. A tool that does nothing costs no look at the disk. */
export async function scopesOf(request: ScopesRequest, findPlace: () => Place): Promise<ScopeList> {
  if (request.declared === "none") return { scopes: [], forcePrompt: false, unparseable: false };
  const declared = Declared.safeParse(request.declared);
  if (!declared.success) return unknownCall(request.input);
  const place = findPlace();
  const lists: ScopeList[] = [];
  for (const scope of declared.data.scopes.slice(0, MAX_SCOPES)) lists.push(await listOf(scope, request, place));
  if (declared.data.scopes.length > MAX_SCOPES) lists.push(unknownCall(request.input));
  const list = merged(lists);
  return declared.data.forcePrompt ? { ...list, forcePrompt: true, reason: list.reason ?? "the tool says so" } : list;
}

async function listOf(scope: DeclaredScope, { input, cwd }: ScopesRequest, place: Place): Promise<ScopeList> {
  switch (scope.kind) {
    case "shell":
      return scope.command.trim() === "" ? unknownCall(input) : shellScopes(scope.command, folderOf(scope.cwd, cwd, place), place);
    case "command": {
      // Text of several commands would be covered by the rule for the first.
      if (SHELL_TEXT.test(scope.text)) return shellScopes(scope.text, cwd, place);
      const argv = scope.text
        .trim()
        .split(/\s+/)
        .map((text) => ({ text, static: true }));
      return understood({ kind: "command", text: scope.text.trim(), argv, cwd });
    }
    case "path":
      return pathList(scope.path, scope.access, cwd, place);
    case "url":
      return understood({ kind: "url", text: URL.canParse(scope.url) ? new URL(scope.url).href : scope.url });
    default:
      return understood({ kind: scope.kind, text: scope.text });
  }
}

function pathList(path: string, access: "read" | "write", cwd: string, { real, protectedPaths }: Place): ScopeList {
  const canonical = real(path, cwd);
  const isProtected = protectedPaths.isProtected(path, cwd, access);
  const list = understood({ kind: "path", text: canonical ?? path, access, named: [path], ...(isProtected ? { protected: true } : {}) });
  return canonical === undefined ? { ...list, forcePrompt: true, reason: "a path that cannot be resolved" } : list;
}

/** A tool that says nothing usable is asked about, with all that is known of the call. */
function unknownCall(input: Record<string, unknown>): ScopeList {
  return { scopes: [{ kind: "other", text: JSON.stringify(input) }], forcePrompt: true, unparseable: false, reason: "what it would do is not known" };
}

function understood(scope: Scope): ScopeList {
  return { scopes: [scope], forcePrompt: false, unparseable: false };
}

function folderOf(wanted: string | undefined, cwd: string, { real }: Place): string {
  return wanted === undefined ? cwd : (real(wanted, cwd) ?? wanted);
}

function merged(lists: readonly ScopeList[]): ScopeList {
  const reason = lists.find((list) => list.reason !== undefined)?.reason;
  const unresolved = lists.flatMap((list) => list.unresolved ?? []);
  return {
    scopes: distinct(lists.flatMap((list) => list.scopes)),
    forcePrompt: lists.some((list) => list.forcePrompt),
    unparseable: lists.some((list) => list.unparseable),
    ...(reason === undefined ? {} : { reason }),
    ...(unresolved.length === 0 ? {} : { unresolved }),
  };
}

function distinct(scopes: readonly Scope[]): Scope[] {
  const seen = new Map<string, Scope>();
  for (const { named = [], ...scope } of scopes) {
    const key = JSON.stringify(scope);
    const names = [...(seen.get(key)?.named ?? []), ...named];
    seen.set(key, names.length === 0 ? scope : { ...scope, named: names });
  }
  return [...seen.values()];
}
