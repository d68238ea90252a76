import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFiles } from "../../../core/permission/files.ts";
import { match } from "../../../core/permission/match.ts";
import { readPattern } from "../../../core/permission/pattern.ts";
import type { Rule, Scope } from "../../../core/permission/permission.ts";
import { readDefaults } from "../../../core/permission/read-defaults.ts";
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
        const candidates = createRuleIndex(patterns).candidates(given, false);
        expect(matching.filter((each) => !candidates.includes(each))).toEqual([]);
        expect(candidates).toEqual(patterns.filter((each) => candidates.includes(each)));
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves out no rule about secrets that matches a file", () => {
    const part = fc.constantFrom(
      ...[
        ".env",
        ".env.local",
        ".ssh",
        "id_rsa",
        "a.pem",
        "A.PEM",
        ".aws",
        ".config",
        "gh",
        "hosts.yml",
        "op",
        "etc",
        "ssl",
        "private",
        "shadow-",
        "proc",
      ],
      ...[
        "1",
        "environ",
        ".docker",
        "config.json",
        "Library",
        "Keychains",
        ".env\n",
        "x.key.txt",
        "[id]",
        ".npmrc",
        "src",
        "main.ts",
        ".claude.json",
        "hub",
      ],
    );
    const path = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
    const patterns = readDefaults({ project: "/p", named: [], hasDefault: () => false })
      .filter(({ tool }) => tool === "read")
      .map(readPattern);
    const index = createRuleIndex(patterns);
    let fewer = 0;
    fc.assert(
      fc.property(path, fc.boolean(), (text, below) => {
        const scope: Scope = { kind: "path", text, access: "read", ...(below ? { below } : {}) };
        const files = createFiles("/p", { ignoresCase: false });
        const candidates = index.candidates(scope, false);
        if (candidates.length < patterns.length / 2) fewer++;
        expect(patterns.filter((each) => match(each, scope, files) !== "no" && !candidates.includes(each))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    expect(fewer).toBeGreaterThan(100);
  });
});
