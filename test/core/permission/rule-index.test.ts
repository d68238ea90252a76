import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFiles } from "../../../core/permission/files.ts";
import { match } from "../../../core/permission/match.ts";
import { readPattern } from "../../../core/permission/pattern.ts";
import type { Rule, Scope } from "../../../core/permission/permission.ts";
import { createRuleIndex } from "../../../core/permission/rule-index.ts";

const words = ["git", "push", "--force", "*", "git*", "/bin/git", "./git", "src/**", "~/x", "npm", "a=b", "**", "-rf"];

describe("createRuleIndex()", () => {
  it("leaves out no rule that matches", () => {
    const pattern = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((each) => each.join(" "));
    const rule = fc
      .record({ pattern, effect: fc.constantFrom("allow", "deny", "ask") })
      .map(({ pattern: text, effect }): Rule => ({ tool: "t", pattern: text, effect: effect as Rule["effect"], layer: "user", from: "" }));
    const argv = fc.array(fc.record({ text: fc.constantFrom(...words), static: fc.boolean() }), { minLength: 1, maxLength: 4 });
    const scope = fc.oneof(
      argv.map((each): Scope => ({ kind: "command", text: each.map(({ text }) => text).join(" "), argv: each })),
      fc.constantFrom<Scope>(
        { kind: "command", text: "git push; x" },
        { kind: "path", text: "/project/src/a", access: "write" },
        { kind: "url", text: "https://h/" },
        { kind: "code", text: "git push" },
      ),
    );
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 12 }), scope, (rules, given) => {
        const patterns = rules.map(readPattern);
        const files = createFiles("/project");
        const matching = patterns.filter((each) => match(each, given, files) !== "no");
        const candidates = createRuleIndex(patterns).candidates(given);
        expect(matching.filter((each) => !candidates.includes(each))).toEqual([]);
        expect(candidates).toEqual(patterns.filter((each) => candidates.includes(each)));
      }),
      { numRuns: 2_000 },
    );
  });
});
