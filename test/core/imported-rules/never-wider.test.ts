import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importRules } from "../../../core/imported-rules/import-rules.ts";
import type { Rule } from "../../../core/permission/permission.ts";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const root = await realpath(await mkdtemp(join(tmpdir(), "mortise-wider-")));
const syntax = createSyntax();
beforeAll(() => mkdir(join(root, ".claude")));
afterAll(async () => {
  await syntax.close();
  await rm(root, { recursive: true, force: true });
});

const word = fc.constantFrom("git", "push", "gitk", "x");
const patternWord = fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom("*", "g*", "g*t", "*x", ":*") });
const pattern = fc.array(patternWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ").replace(" :*", ":*"));
const command = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));

/** What the other agent makes of one plain command. */
function matches(text: string, said: string): boolean {
  const spaced = text.replace(/:\*$/, " *");
  if (/^[\s*]*$/.test(spaced)) return true;
  const source = spaced
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/ \*$/, "( .*)?")
    .replace(/(?<!\.)\*/g, ".*");
  return new RegExp(`^${source}$`).test(said);
}

async function judge(lists: Record<"allow" | "ask" | "deny", string[]>, said: string): Promise<string> {
  const settings = {
    permissions: Object.fromEntries(Object.entries(lists).map(([effect, texts]) => [effect, texts.map((text) => `Bash(${text})`)])),
  };
  await writeFile(join(root, ".claude/settings.json"), JSON.stringify(settings));
  const { rules } = await importRules("claude", { root, file: join(root, ".claude/settings.json") });
  const permissions = createPermissions({
    syntax,
    project: root,
    folders: { config: "/none/config", cache: "/none/cache", state: "/none/state" },
    policy: () => ({
      rules: rules.map(({ rule, from }): Rule => ({ ...rule, layer: "user", from })),
      yolo: false,
      yoloUnparseable: false,
      defaultEffect: () => "prompt",
    }),
  });
  const list = await permissions.scopesOf({ tool: "bash", input: {}, declared: { scopes: [{ kind: "shell", command: said }] }, cwd: root });
  return (await permissions.evaluate({ tool: "bash", sessionId: "s", list })).kind;
}

describe("imported rules", () => {
  it("allow nothing that was not allowed before", { timeout: 60_000 }, async () => {
    let allowed = 0;
    const texts = fc.array(pattern, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(texts, texts, texts, fc.array(command, { minLength: 1, maxLength: 8 }), async (allow, ask, deny, commands) => {
        for (const said of commands) {
          if ((await judge({ allow, ask, deny }, said)) !== "allow") continue;
          allowed++;
          expect(
            allow.some((text) => matches(text, said)),
            `allowed by nothing: ${said}`,
          ).toBe(true);
          expect(
            [...ask, ...deny].filter((text) => matches(text, said)),
            `not allowed there: ${said}`,
          ).toEqual([]);
        }
      }),
      { numRuns: 400 },
    );
    expect(allowed).toBeGreaterThan(0);
  });
});
