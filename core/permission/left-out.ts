import { judgeScope } from "./evaluate.ts";
import { createFiles } from "./files.ts";
import { match, reaches } from "./match.ts";
import { readPattern } from "./pattern.ts";
import type { Rule, Scope } from "./permission.ts";
import { isSecret } from "./read-defaults.ts";
import { createRuleIndex } from "./rule-index.ts";

export type LeftOutRequest = {
  /** The tool that searches, where there is one. */
  tool: string | null;
  rules: readonly Rule[];
  /** The folder that the call names, canonical. */
  folder: string;
  project: string;
  /** Whether a path always asks, as the host's own sessions and settings. */
  isProtected(path: string): boolean;
};

/**
 * Says which files below a folder may not be read by a search of it: those that a rule denies, for the tool or for `read`, and those that a rule
 * asks about. A rule that asks about the folder itself was answered already. Paths are canonical.
 */
export function leftOut({ tool, rules, folder, project, isProtected }: LeftOutRequest): (path: string) => "denied" | "asked" | undefined {
  const [byRead, byTool] = ["read", tool ?? "read"].map((name) => judgeOf(name, { rules, folder, project }));
  const named = isProtected(folder);
  return (path) => {
    if (!named && isProtected(path)) return "asked";
    const secret = isSecret(path);
    const own = byTool!(path, secret);
    const read = byRead!(path, secret);
    if (own === "denied" || read === "denied") return "denied";
    // Who lets the tool read a file need not say it of `read` too.
    if (own === "allowed") return undefined;
    return own === "asked" || read === "asked" ? "asked" : undefined;
  };
}

type Said = "denied" | "asked" | "allowed" | undefined;

function judgeOf(
  tool: string,
  { rules, folder, project }: Pick<LeftOutRequest, "rules" | "folder" | "project">,
): (path: string, secret: boolean) => Said {
  const own = rules.filter((rule) => reaches(rule.tool, tool)).map(readPattern);
  const index = createRuleIndex(own);
  const files = createFiles(project);
  // What the host itself asks about is secrets, and looking at each of those rules for each file would take long.
  const others = own.some(({ rule, universal, pathlike }) => rule.effect !== "allow" && rule.layer !== "builtin" && (universal || pathlike));
  const named = scopeOf(folder);
  return (path, secret) => {
    if (!secret && !others) return undefined;
    const { effect, rule } = judgeScope(scopeOf(path), index, files);
    if (effect === "deny") return "denied";
    if (effect === "allow") return "allowed";
    if (effect !== "ask" || rule === null) return undefined;
    return match(readPattern(rule), named, files) === "yes" ? undefined : "asked";
  };
}

function scopeOf(text: string): Scope {
  return { kind: "path", text, access: "read" };
}
