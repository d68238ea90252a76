import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DefaultEffect, evaluate } from "../../../core/permission/evaluate.ts";
import type { Effect, Rule, RuleLayer, Scope, ScopeList, Verdict } from "../../../core/permission/permission.ts";

const layers: RuleLayer[] = ["session", "project", "user", "builtin", "plugin"];

function command(text: string, more: Partial<Scope> = {}): Scope {
  return { kind: "command", text, argv: text.split(" ").map((word) => ({ text: word, static: true })), ...more };
}

/** `user allow git *` */
function rule(text: string): Rule {
  const [layer, effect, ...pattern] = text.split(" ");
  return { tool: "bash", layer: layer as RuleLayer, effect: effect as Effect, pattern: pattern.join(" "), from: "" };
}

type Given = {
  scopes: Scope[];
  rules?: string[];
  force?: boolean;
  unparseable?: boolean;
  yolo?: boolean;
  yoloUnparseable?: boolean;
  default?: DefaultEffect;
};

async function judge(given: Given): Promise<Verdict> {
  const list: ScopeList = { scopes: given.scopes, forcePrompt: given.force ?? false, unparseable: given.unparseable ?? false };
  return evaluate({
    tool: "bash",
    list,
    rules: (given.rules ?? []).map(rule),
    yolo: given.yolo ?? false,
    yoloUnparseable: given.yoloUnparseable ?? false,
    defaultEffect: given.default ?? "prompt",
    project: "/project",
  });
}

/** `ask: a; b` names what is pending. */
async function summary(given: Given): Promise<string> {
  const verdict = await judge(given);
  return verdict.kind === "ask" ? `ask: ${verdict.pending.map((scope) => scope.text).join("; ")}` : `${verdict.kind}: ${verdict.source}`;
}

const git = command("git push");
const rm = command("rm -rf x");
const ls = command("ls");
const unknown = command("git $X", {
  argv: [
    { text: "git", static: true },
    { text: "$X", static: false },
  ],
});

describe("evaluate() of what commands write", () => {
  const cp = command("cp a b");
  const inside: Scope = { kind: "path", text: "/project/sub/b", access: "write", shell: true, own: true };
  const outside: Scope = { kind: "path", text: "/other/b", access: "write", shell: true, own: true };
  const redirected: Scope = { kind: "path", text: "/project/sub/b", access: "write", shell: true };
  const unknown: Scope = { kind: "path", text: "$b", access: "write", shell: true, own: true, unknown: true };
  const rows: [sentence: string, given: Given, expected: string][] = [
    ["covers it in the project by the command's rule", { scopes: [cp, inside], rules: ["user allow cp *"] }, "allow: rules"],
    ["asks elsewhere", { scopes: [cp, outside], rules: ["user allow cp *"] }, "ask: /other/b"],
    ["allows elsewhere by a rule", { scopes: [cp, outside], rules: ["user allow cp *", "user allow /other/**"] }, "allow: rules"],
    [
      "asks where a rule names other folders of the project",
      { scopes: [cp, inside], rules: ["user allow cp *", "user allow docs/**"] },
      "ask: /project/sub/b",
    ],
    ["allows where a rule names this folder", { scopes: [cp, inside], rules: ["user allow cp *", "user allow sub/**"] }, "allow: rules"],
    ["is not bounded by folders elsewhere", { scopes: [cp, inside], rules: ["user allow cp *", "user allow /other/**"] }, "allow: rules"],
    ["is not bounded by a rule for all of the project", { scopes: [cp, inside], rules: ["user allow cp *", "user allow ./**"] }, "allow: rules"],
    ["asks where only another program would write", { scopes: [cp, redirected], rules: ["user allow cp *"] }, "ask: /project/sub/b"],
    ["asks about a file that is not known", { scopes: [cp, unknown], rules: ["user allow cp *", "user allow /**", "user allow ./**"] }, "ask: $b"],
    ["allows a file that is not known by a star", { scopes: [cp, unknown], rules: ["user allow *"] }, "allow: rules"],
    ["denies by a rule about the file", { scopes: [cp, inside], rules: ["user allow cp *", "user deny sub/**"] }, "deny: rule"],
    ["asks by a rule about the file", { scopes: [cp, inside], rules: ["user allow cp *", "user ask sub/**"] }, "ask: /project/sub/b"],
    ["asks about a protected file", { scopes: [cp, { ...inside, protected: true }], rules: ["user allow *"] }, "ask: /project/sub/b"],
  ];
  it.each(rows)("%s", async (_sentence, given, expected) => {
    expect(await summary(given)).toBe(expected);
  });

  it("says of a file that needs no rule that it needs none", async () => {
    const { scopes } = await judge({ scopes: [cp, inside], rules: ["user allow cp *"] });
    expect(scopes[1]?.scope).toMatchObject({ passive: true });
  });
});

describe("evaluate()", () => {
  const rows: [sentence: string, given: Given, expected: string][] = [
    ["covers each scope by a rule", { scopes: [git, ls], rules: ["user allow git *", "user allow ls *"] }, "allow: rules"],
    ["names what is not covered, in order", { scopes: [git, ls, rm], rules: ["user allow ls *"] }, "ask: git push; rm -rf x"],
    ["denies the whole call for one scope", { scopes: [git, ls, rm], rules: ["user allow *", "user deny rm *"] }, "deny: rule"],
    ["denies whatever the order in a layer", { scopes: [rm], rules: ["user deny rm *", "user allow *"] }, "deny: rule"],
    ["denies by the lowest layer against all others", { scopes: [rm], rules: ["session allow *", "user allow *", "plugin deny rm *"] }, "deny: rule"],
    ["denies a call that is forced", { scopes: [rm], rules: ["user deny rm *"], force: true }, "deny: rule"],
    ["denies under yolo", { scopes: [rm], rules: ["user deny rm *"], yolo: true, yoloUnparseable: true, unparseable: true }, "deny: rule"],
    [
      "denies what a wrapper hides",
      { scopes: [command("env ls", { passive: true }), ls], rules: ["user allow ls *", "user deny env *"] },
      "deny: rule",
    ],
    ["asks before it allows within a layer", { scopes: [git], rules: ["user allow git *", "user ask git push *"] }, "ask: git push"],
    ["lets a higher layer allow what a lower one asks", { scopes: [git], rules: ["session allow git *", "user ask git *"] }, "allow: rules"],
    ["lets a higher layer ask what a lower one allows", { scopes: [git], rules: ["project ask git *", "user allow git *"] }, "ask: git push"],
    [
      "asks where a rule that asks is on a wrapper",
      { scopes: [command("env ls", { passive: true }), ls], rules: ["user allow ls *", "user ask env *"] },
      "ask: env ls",
    ],
    ["needs nothing for a wrapper", { scopes: [command("env ls", { passive: true }), ls], rules: ["user allow ls *"] }, "allow: rules"],
    ["asks about everything where the call is forced", { scopes: [git, ls], rules: ["user allow *"], force: true }, "ask: git push; ls"],
    ["asks where a call is forced that has no scopes", { scopes: [], force: true }, "ask: "],
    ["allows a call that would do nothing", { scopes: [] }, "allow: no_scopes"],
    ["lets yolo answer what no rule decided", { scopes: [git], yolo: true }, "allow: yolo"],
    ["lets yolo answer a forced call", { scopes: [git], rules: ["user allow *"], force: true, yolo: true }, "allow: yolo"],
    ["keeps yolo from a rule that asks", { scopes: [git, ls], rules: ["user ask git *"], yolo: true }, "ask: git push; ls"],
    ["keeps yolo from what a rule that denies may be about", { scopes: [unknown], rules: ["user deny git push *"], yolo: true }, "ask: git $X"],
    ["keeps a default from that too", { scopes: [unknown], rules: ["user deny git push *"], default: "allow" }, "ask: git $X"],
    [
      "lets yolo answer that where the config says so",
      { scopes: [unknown], rules: ["user deny git push *"], yolo: true, yoloUnparseable: true },
      "allow: yolo",
    ],
    ["keeps yolo from what was not understood", { scopes: [git], unparseable: true, yolo: true }, "ask: git push"],
    ["lets yolo answer that too where the config says so", { scopes: [git], unparseable: true, yolo: true, yoloUnparseable: true }, "allow: yolo"],
    [
      "keeps yolo and rules from what is protected",
      { scopes: [command("tee .mortise/x", { protected: true })], rules: ["session allow *"], yolo: true, yoloUnparseable: true, default: "allow" },
      "ask: tee .mortise/x",
    ],
    ["falls back to a default that allows", { scopes: [git], default: "allow" }, "allow: default"],
    ["keeps that default from what was not understood", { scopes: [git], default: "allow", unparseable: true }, "ask: git push"],
    ["keeps that default from a rule that asks", { scopes: [git], rules: ["user ask git *"], default: "allow" }, "ask: git push"],
    ["falls back to a default that denies", { scopes: [git], default: "deny" }, "deny: default"],
    ["asks where a rule asks and the default denies", { scopes: [git], rules: ["user ask git *"], default: "deny" }, "ask: git push"],
    ["allows by rule where the default denies", { scopes: [git], rules: ["user allow git *"], default: "deny" }, "allow: rules"],
    [
      "asks where a deny may be meant",
      {
        scopes: [
          {
            kind: "command",
            text: "git $X",
            argv: [
              { text: "git", static: true },
              { text: "$X", static: false },
            ],
          },
        ],
        rules: ["user allow *", "user deny git push *"],
      },
      "ask: git $X",
    ],
  ];
  it.each(rows)("%s", async (_sentence, given, expected) => {
    expect(await summary(given)).toBe(expected);
  });

  it("says which rule decided each scope", async () => {
    const verdict = await judge({ scopes: [git, ls], rules: ["user allow git *"] });
    expect(verdict.scopes.map(({ effect, rule: decided }) => [effect, decided?.pattern])).toEqual([
      ["allow", "git *"],
      ["uncovered", undefined],
    ]);
  });

  const words = fc.constantFrom("git", "rm", "ls", "npm", "push", "-rf", "x", "/bin/rm", "$X");
  const scopes = fc.array(
    fc.array(words, { minLength: 1, maxLength: 4 }).map((argv) => ({
      kind: "command" as const,
      text: argv.join(" "),
      argv: argv.map((text) => ({ text, static: !text.startsWith("$") })),
    })),
    { minLength: 1, maxLength: 5 },
  );
  const patterns = fc.oneof(
    fc.constantFrom("*", "**", "git *", "rm *", "ls", "npm push", "git*"),
    fc.array(words, { minLength: 1, maxLength: 3 }).map((argv) => argv.join(" ")),
  );
  const rules: fc.Arbitrary<Rule[]> = fc.array(
    fc.record<Rule>({
      tool: fc.constantFrom("bash", "*"),
      pattern: patterns,
      effect: fc.constantFrom<Effect>("allow", "ask", "deny"),
      layer: fc.constantFrom(...layers),
      from: fc.constant(""),
    }),
    { maxLength: 8 },
  );
  const flags = fc.record({
    yolo: fc.boolean(),
    yoloUnparseable: fc.boolean(),
    defaultEffect: fc.constantFrom<DefaultEffect>("prompt", "allow", "deny"),
    forcePrompt: fc.boolean(),
    unparseable: fc.boolean(),
  });

  it("denies whatever else holds, where a deny matches any scope", async () => {
    await fc.assert(
      fc.asyncProperty(scopes, rules, flags, fc.nat(), fc.constantFrom(...layers), fc.nat(), async (all, others, given, at, layer, place) => {
        const target = all[at % all.length]!;
        const program = target.argv[0]!;
        const deny: Rule = { tool: "bash", pattern: program.static ? `${program.text} *` : "*", effect: "deny", layer, from: "" };
        const mixed = [...others];
        mixed.splice(place % (mixed.length + 1), 0, deny);
        const { forcePrompt, unparseable, ...settings } = given;
        const verdict = await evaluate({
          tool: "bash",
          list: { scopes: all, forcePrompt, unparseable },
          rules: mixed,
          project: "/project",
          ...settings,
        });
        expect(verdict.kind).toBe("deny");
      }),
    );
  });

  it("never allows by rules what some scope is not allowed by, nor a call that is forced", async () => {
    await fc.assert(
      fc.asyncProperty(scopes, rules, flags, async (all, given, { forcePrompt, unparseable }) => {
        const verdict = await evaluate({
          tool: "bash",
          list: { scopes: all, forcePrompt, unparseable },
          rules: given,
          yolo: false,
          yoloUnparseable: false,
          defaultEffect: "prompt",
          project: "/project",
        });
        if (verdict.kind !== "allow") return;
        expect(forcePrompt || unparseable).toBe(false);
        for (const { effect } of verdict.scopes) expect(effect).toBe("allow");
      }),
    );
  });
});
