import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rule, ScopeList } from "../../../core/permission/permission.ts";
import { createPermissions, type Permissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

/** One line of test/cases/bash.jsonl: what must hold of one command. */
type Case = {
  id: string;
  command: string;
  expect: {
    segments?: string[];
    force_prompt?: boolean;
    must_not_be_allowed_by?: string[];
    must_be_denied_by?: string[];
    prompt_is_enough?: boolean;
    should_be_allowed_by?: string[];
    must_not_be_denied_by?: string[];
  };
};
type Check = "segments" | "forced" | "not allowed" | "denied" | "denied or asked" | "allowed" | "not denied";

const cases: Case[] = readFileSync(new URL("../../cases/bash.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** How many of each check hold at least. Raise a number when more do. */
const floor: Record<Check, number> = {
  segments: 58,
  forced: 41,
  "not allowed": 107,
  denied: 61,
  "denied or asked": 29,
  allowed: 22,
  "not denied": 3,
};
const TOOL = "bash";

describe("the bash cases", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-cases-")));
  const project = join(root, "project");
  const syntax = createSyntax();
  const folders = { config: join(root, "config"), cache: join(root, "cache"), state: join(root, "state") };
  let rules: Rule[] = [];
  const permissions: Permissions = createPermissions({
    syntax,
    project,
    folders,
    policy: () => ({ rules, yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
  });

  beforeAll(() => {
    for (const folder of ["project/sub", "project/sub-old", "project/tools", "outside", "other"]) mkdirSync(join(root, folder), { recursive: true });
    for (const file of ["a.txt", "b.txt", "data.json"]) writeFileSync(join(project, file), "x\n");
    symlinkSync(join(root, "outside"), join(project, "sub/link"));
  });
  afterAll(async () => {
    await syntax.close();
    rmSync(root, { recursive: true });
  });

  async function decide(list: ScopeList, given: Partial<Record<Rule["effect"], string[]>>): Promise<string> {
    rules = Object.entries(given).flatMap(([effect, patterns]) =>
      patterns.map((pattern): Rule => ({ tool: TOOL, pattern, effect: effect as Rule["effect"], layer: "user", from: "" })),
    );
    return (await permissions.evaluate({ tool: TOOL, sessionId: "s", list })).kind;
  }

  it("hold as far as they did before", async () => {
    const held: Record<Check, number> = { segments: 0, forced: 0, "not allowed": 0, denied: 0, "denied or asked": 0, allowed: 0, "not denied": 0 };
    const asked = { ...held };
    const missed: string[] = [];
    for (const { id, command, expect: want } of cases) {
      const check = (name: Check, holds: boolean) => {
        asked[name]++;
        if (holds) held[name]++;
        else missed.push(`${name} ${id} ${JSON.stringify(command).slice(0, 120)}`);
      };
      const list = await permissions.scopesOf({ tool: TOOL, input: { command }, declared: { scopes: [{ kind: "shell", command }] }, cwd: project });
      if (want.segments !== undefined) check("segments", await segmentsHold(command, want.segments));
      if (want.force_prompt) {
        const every = list.scopes.map((scope) => scope.text);
        check("forced", (await decide(list, { allow: ["*", ...every] })) !== "allow");
      }
      if (want.must_not_be_allowed_by) check("not allowed", (await decide(list, { allow: want.must_not_be_allowed_by })) !== "allow");
      if (want.should_be_allowed_by) check("allowed", (await decide(list, { allow: want.should_be_allowed_by })) === "allow");
      if (want.must_not_be_denied_by) check("not denied", (await decide(list, { allow: ["*"], deny: want.must_not_be_denied_by })) !== "deny");
      if (want.must_be_denied_by) {
        const kind = await decide(list, { allow: ["*"], deny: want.must_be_denied_by });
        if (want.prompt_is_enough || want.force_prompt) check("denied or asked", kind !== "allow");
        if (!want.prompt_is_enough) check("denied", kind === "deny");
      }
    }
    console.log(
      Object.entries(held)
        .map(([name, count]) => `${name}: ${count} of ${asked[name as Check]}`)
        .join("\n"),
    );
    for (const line of missed) console.log(`missed: ${line}`);
    for (const [name, count] of Object.entries(held)) expect(count, name).toBeGreaterThanOrEqual(floor[name as Check]);
  });

  /** Where the text is not understood more may be found than runs; else only what needs no permission of its own may be more. */
  async function segmentsHold(command: string, segments: readonly string[]): Promise<boolean> {
    const { commands, unparseable } = await syntax.commands(command);
    const found = commands
      .filter(({ argv }) => argv.length > 0)
      .map(({ argv, passive }) => ({ text: argv.map((word) => word.text).join(" "), passive }));
    return (
      segments.every((segment) => found.some(({ text }) => text === segment)) &&
      (unparseable || found.every(({ text, passive }) => passive || segments.includes(text)))
    );
  }
});
