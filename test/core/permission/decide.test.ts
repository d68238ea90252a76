import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Asker, PromptRequest, Rule } from "../../../core/permission/permission.ts";
import type { AskLayers, Decision } from "../../../core/permission/permissions.ts";
import { createPermissions, type NewRule } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const project = realpathSync(mkdtempSync(join(tmpdir(), "mortise-decide-")));
const folders = { config: join(project, "../none/config"), cache: join(project, "../none/cache"), state: join(project, "../none/state") };
const syntax = createSyntax();
afterAll(async () => {
  await syntax.close();
  rmSync(project, { recursive: true });
});

type Given = { rules?: Rule[]; yolo?: boolean; ask?: Asker; stored?: [string, NewRule][] };

function create({ rules = [], yolo = false, ask, stored = [] }: Given) {
  const permissions = createPermissions({
    syntax,
    project,
    folders,
    policy: () => ({ rules, yolo, yoloUnparseable: false, defaultEffect: () => "prompt" }),
    ...(ask === undefined ? {} : { ask }),
    remember: async (layer, rule) => {
      stored.push([layer, rule]);
    },
  });
  type More = {
    reasons?: { plugin: string; reason: string }[];
    askLayers?: AskLayers;
    signal?: AbortSignal;
    onWaiting?: (waiting: boolean) => void;
    sessionId?: string;
  };
  async function decide(
    command: string,
    { reasons = [], signal = new AbortController().signal, sessionId = "s", ...more }: More = {},
  ): Promise<Decision> {
    const list = await permissions.scopesOf({ tool: "bash", input: { command }, declared: { scopes: [{ kind: "shell", command }] }, cwd: project });
    return permissions.decide({ tool: "bash", toolId: "t1", sessionId, input: { command }, list, reasons, signal, ...more });
  }
  return { permissions, decide };
}

function rule(effect: Rule["effect"], pattern: string): Rule {
  return { tool: "bash", effect, pattern, layer: "user", from: "permissions.jsonc:3" };
}
const allow: Asker = async () => ({ decision: "allow" });
/** An asker that keeps what it was asked. */
function asker(answer: Awaited<ReturnType<Asker>>): { ask: Asker; asked: PromptRequest[] } {
  const asked: PromptRequest[] = [];
  return {
    asked,
    ask: async (request) => {
      asked.push(request);
      return answer;
    },
  };
}

describe("decide()", () => {
  it("allows by rules without asking", async () => {
    const { ask, asked } = asker({ decision: "deny" });
    const decision = await create({ ask, rules: [rule("allow", "echo *")] }).decide("echo hi");
    expect(decision).toMatchObject({ allowed: true, reason: "", record: { decision: "allow", source: "rules" } });
    expect(decision.record.scopes).toEqual([
      { kind: "command", text: "echo hi", effect: "allow", rule: 'allow bash "echo *", user permissions.jsonc:3' },
    ]);
    expect(asked).toHaveLength(0);
  });

  it("denies by a rule, and says which", async () => {
    const decision = await create({ ask: allow, rules: [rule("allow", "*"), rule("deny", "rm *")] }).decide("ls; rm -rf x");
    expect(decision).toMatchObject({ allowed: false, denial: { by: "rule" }, record: { decision: "deny", source: "rule" } });
    expect(decision.reason).toContain("rm -rf x");
  });

  it("asks a person for what is not covered", async () => {
    const { ask, asked } = asker({ decision: "allow" });
    const decision = await create({ ask, rules: [rule("allow", "ls *")] }).decide("ls; echo hi > a");
    expect(decision).toMatchObject({ allowed: true, record: { source: "person" } });
    expect(asked[0]).toMatchObject({ tool: "bash", toolId: "t1", sessionId: "s", reasons: [] });
    expect(asked[0]?.scopes.map(({ text }) => text)).toEqual(["echo hi", join(project, "a")]);
    expect(asked[0]?.suggestions).toEqual([
      { tool: "bash", pattern: "echo *", effect: "allow" },
      { tool: "bash", pattern: `${project}/**`, effect: "allow" },
    ]);
  });

  it("hands on what a person says to do instead", async () => {
    const decision = await create({ ask: asker({ decision: "deny", guidance: "use make" }).ask }).decide("npm publish");
    expect(decision).toMatchObject({ allowed: false, denial: { by: "person", guidance: "use make" } });
    expect(decision.reason).toContain("use make");
  });

  const broken: [string, Asker][] = [
    ["throws", () => Promise.reject(new Error("gone"))],
    [
      "throws at once",
      () => {
        throw new Error("gone");
      },
    ],
    ["answers nothing", (async () => undefined) as unknown as Asker],
    ["answers something else", (async () => ({ decision: "yes" })) as unknown as Asker],
    ["answers true", (async () => true) as unknown as Asker],
    [
      "answers with something that throws",
      (async () => ({
        get decision() {
          throw new Error("gone");
        },
      })) as unknown as Asker,
    ],
    ["answers for longer than there is", (async () => ({ decision: "allow", remember: "forever" })) as unknown as Asker],
  ];
  it.each(broken)("denies where the asker %s", async (_name, ask) => {
    expect(await create({ ask }).decide("echo hi")).toMatchObject({ allowed: false, denial: { by: "nobody" } });
  });

  it("denies where nobody is there, and names the rule for each scope", async () => {
    const decision = await create({}).decide("echo hi; git push origin; sudo ls");
    expect(decision).toMatchObject({ allowed: false, denial: { by: "nobody" }, record: { source: "nobody" } });
    expect(decision.reason).toContain('{ "tool": "bash", "pattern": "echo *", "effect": "allow" } in permissions.jsonc');
    expect(decision.reason).toContain('{ "tool": "bash", "pattern": "git push *", "effect": "allow" }');
    expect(decision.reason).toContain("--yolo");
  });

  it.each<[string, Rule[], Asker | undefined]>([
    ["a rule", [rule("deny", "git *")], undefined],
    ["a person", [], asker({ decision: "deny", guidance: "not \u202eso" }).ask],
    ["nobody", [], undefined],
  ])("shows what a command hides where %s denies it", async (_who, rules, ask) => {
    const { reason, record } = await create({ rules, ...(ask === undefined ? {} : { ask }) }).decide(
      "git add 'a\u202egpj.exe\u200b'; git add 'b\u009b2J'",
    );
    expect(reason).toContain("\\u{202e}");
    for (const text of [reason, ...record.scopes.map((scope) => scope.rule ?? "")]) expect(text).not.toMatch(/[\p{Cf}]|[^\P{Cc}\n]/u);
  });

  it("does not promise that yolo would pass what a rule that denies may be about", async () => {
    const { reason } = await create({ rules: [rule("deny", "git push *")] }).decide('git "$X"');
    expect(reason).toContain("yolo_unparseable");
  });

  it("does not promise that yolo would pass what is protected", async () => {
    expect((await create({}).decide("tee .mortise/x")).reason).not.toContain("--yolo");
  });

  it("lets yolo answer, but for what is protected", async () => {
    expect(await create({ yolo: true }).decide("echo hi > a")).toMatchObject({ allowed: true, record: { source: "yolo" } });
    expect(await create({ yolo: true }).decide("echo hi > .git/hooks/x")).toMatchObject({ allowed: false, denial: { by: "nobody" } });
  });

  it("takes the word of a layer", async () => {
    const { decide } = create({ ask: asker({ decision: "deny" }).ask });
    expect(await decide("echo hi", { askLayers: async () => ({ decision: "allow", plugin: "p" }) })).toMatchObject({
      allowed: true,
      record: { source: "layer:p" },
    });
    expect(await decide("echo hi", { askLayers: async () => ({ decision: "deny", plugin: "p", guidance: "no" }) })).toMatchObject({
      allowed: false,
      denial: { by: "layer", plugin: "p", guidance: "no" },
    });
  });

  it("asks a person where layers say nothing or fail", async () => {
    const { decide } = create({ ask: allow });
    expect(await decide("echo hi", { askLayers: async () => undefined })).toMatchObject({ record: { source: "person" } });
    expect(await decide("echo hi", { askLayers: () => Promise.reject(new Error("x")) })).toMatchObject({ record: { source: "person" } });
  });

  it("shows layers nothing but what a scope is", async () => {
    const seen: unknown[] = [];
    const askLayers: AskLayers = async ({ scopes }) => {
      seen.push(...scopes);
      return undefined;
    };
    await create({ ask: allow }).decide("echo hi > a", { askLayers });
    expect(seen).toEqual([
      { kind: "command", text: "echo hi" },
      { kind: "path", text: join(project, "a"), access: "write" },
    ]);
  });

  it("keeps layers from what is protected", async () => {
    const { ask, asked } = asker({ decision: "deny" });
    const decision = await create({ ask }).decide("echo hi > .mortise/x", { askLayers: async () => ({ decision: "allow", plugin: "p" }) });
    expect(decision).toMatchObject({ allowed: false, denial: { by: "person" } });
    expect(asked[0]?.suggestions.map(({ pattern }) => pattern)).toEqual(["echo *"]);
  });

  const reasons = [{ plugin: "guard", reason: "live" }];
  it("takes a plugin's question straight to a person, over allow rules, yolo and layers", async () => {
    const { ask, asked } = asker({ decision: "deny" });
    const { decide } = create({ ask, yolo: true, rules: [rule("allow", "*")] });
    expect(await decide("echo hi", { reasons, askLayers: async () => ({ decision: "allow", plugin: "p" }) })).toMatchObject({
      allowed: false,
      denial: { by: "person" },
    });
    expect(asked[0]).toMatchObject({ reasons, suggestions: [] });
    expect(asked[0]?.scopes.map(({ text }) => text)).toEqual(["echo hi"]);
  });

  it("lets a deny rule win over a plugin's question", async () => {
    const { ask, asked } = asker({ decision: "allow" });
    expect(await create({ ask, rules: [rule("deny", "echo *")] }).decide("echo hi", { reasons })).toMatchObject({ denial: { by: "rule" } });
    expect(asked).toHaveLength(0);
  });

  it("denies a plugin's question where nobody is there", async () => {
    const decision = await create({ yolo: true }).decide("echo hi", { reasons });
    expect(decision).toMatchObject({ allowed: false, denial: { by: "nobody" } });
    expect(decision.reason).toContain("live");
  });

  it("asks one at a time, and lets one answer settle the next", async () => {
    let open = 0;
    let most = 0;
    const asked: string[] = [];
    const first = Promise.withResolvers<void>();
    const ask: Asker = async (request) => {
      most = Math.max(most, ++open);
      asked.push(request.scopes[0]!.text);
      await first.promise;
      open--;
      return { decision: "allow", remember: "session" };
    };
    const { decide } = create({ ask });
    const all = Promise.all([decide("echo a"), decide("echo b"), decide("make c")]);
    await expect.poll(() => asked.length).toBe(1);
    first.resolve();
    expect((await all).map(({ allowed, record }) => [allowed, record.source])).toEqual([
      [true, "person"],
      [true, "rules"],
      [true, "person"],
    ]);
    expect([most, asked.length]).toEqual([1, 2]);
  });

  it("ends with a cancel, asked or in line, and lets the next one through", async () => {
    const asked: string[] = [];
    const ask: Asker = (request) => {
      asked.push(request.scopes[0]!.text);
      return asked.length < 2 ? new Promise(() => {}) : Promise.resolve({ decision: "allow" });
    };
    const { decide } = create({ ask });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = decide("echo a", { signal: one.signal });
    await expect.poll(() => asked.length).toBe(1);
    const second = decide("echo b", { signal: two.signal });
    const third = decide("echo c");
    two.abort();
    expect(await second).toMatchObject({ allowed: false, denial: { by: "cancelled" }, record: { source: "cancelled" } });
    one.abort();
    expect(await first).toMatchObject({ allowed: false, denial: { by: "cancelled" } });
    expect(await third).toMatchObject({ allowed: true });
    expect(asked).toEqual(["echo a", "echo c"]);
  });

  it("keeps to a deny that came while a person was asked", async () => {
    const rules: Rule[] = [];
    const ask: Asker = async () => {
      rules.push(rule("deny", "echo *"));
      return { decision: "allow" };
    };
    expect(await create({ ask, rules }).decide("echo hi")).toMatchObject({ allowed: false, denial: { by: "rule" } });
  });

  it("keeps to a deny that came while a layer thought", async () => {
    const rules: Rule[] = [];
    const askLayers = async () => {
      rules.push(rule("deny", "echo *"));
      return { decision: "allow", plugin: "quick" } as const;
    };
    expect(await create({ rules }).decide("echo hi", { askLayers })).toMatchObject({ allowed: false, denial: { by: "rule" } });
  });

  it("says what no answer that is kept covers", async () => {
    const { ask, asked } = asker({ decision: "allow", remember: "session" });
    const { decide } = create({ ask });
    await decide("echo a > /etc/mortise-x");
    expect(asked[0]?.suggestions.map(({ pattern }) => pattern)).toEqual(["echo *"]);
    expect(asked[0]?.asksAgain.map(({ text }) => text)).toEqual(["/etc/mortise-x"]);
    await decide("echo a > /etc/mortise-x");
    expect(asked[1]?.scopes.map(({ text }) => text)).toEqual(["/etc/mortise-x"]);
    await decide("touch b");
    expect(asked[2]?.asksAgain).toEqual([]);
  });

  it("stores no part of a denial that cannot be written whole, and says so before", async () => {
    const stored: [string, NewRule][] = [];
    const { ask, asked } = asker({ decision: "deny", remember: "user" });
    const { decide } = create({ ask, stored });
    await decide("cd sub && rm -rf *");
    expect([asked[0]?.denials, stored]).toEqual([[], []]);
    await decide("rm *.log");
    expect(stored).toEqual([["user", asked[1]?.denials[0]]]);
    expect(await decide("rm *.log")).toMatchObject({ denial: { by: "rule" } });
    expect(await decide("rm a.log")).toMatchObject({ denial: { by: "person" } });
  });

  it("tells when a person begins and ends to be waited for", async () => {
    const told: boolean[] = [];
    await create({ ask: allow }).decide("echo hi", { onWaiting: (waiting) => told.push(waiting) });
    await create({}).decide("echo hi", { onWaiting: (waiting) => told.push(waiting) });
    expect(told).toEqual([true, false]);
  });

  it("remembers for the session alone, and forgets with it", async () => {
    const { ask, asked } = asker({ decision: "allow", remember: "session" });
    const stored: [string, NewRule][] = [];
    const { decide, permissions } = create({ ask, stored });
    await decide("echo a");
    await decide("echo b");
    expect([asked.length, stored.length, permissions.sessionRules("s").length]).toEqual([1, 0, 1]);
    await decide("echo c", { sessionId: "other" });
    permissions.endSession("s");
    await decide("echo d");
    expect(asked).toHaveLength(3);
  });

  it("stores what holds for longer, and goes on where that fails", async () => {
    const stored: [string, NewRule][] = [];
    const { decide } = create({ ask: asker({ decision: "allow", remember: "project" }).ask, stored });
    await decide("echo a");
    expect(stored).toEqual([["project", { tool: "bash", pattern: "echo *", effect: "allow" }]]);
  });

  it("keeps a deny exact", async () => {
    const stored: [string, NewRule][] = [];
    const { decide } = create({ ask: asker({ decision: "deny", remember: "user" }).ask, stored });
    await decide("cargo test");
    expect(stored).toEqual([["user", { tool: "bash", pattern: "cargo test", effect: "deny" }]]);
    expect(await decide("cargo test")).toMatchObject({ denial: { by: "rule" } });
    expect(await decide("cargo build")).toMatchObject({ denial: { by: "person" } });
  });

  it("stores nothing for a call that is forced", async () => {
    const { ask, asked } = asker({ decision: "allow", remember: "project" });
    const stored: [string, NewRule][] = [];
    await create({ ask, stored }).decide("echo $(whoami)");
    expect([asked[0]?.suggestions, stored]).toEqual([[], []]);
  });
});

describe("deniedByRule()", () => {
  it("looks at deny rules alone", async () => {
    const { permissions } = create({ rules: [rule("deny", "rm *")] });
    const denied = async (command: string) => {
      const list = await permissions.scopesOf({ tool: "bash", input: {}, declared: { scopes: [{ kind: "shell", command }] }, cwd: project });
      return permissions.deniedByRule({ tool: "bash", sessionId: "s", list });
    };
    expect(await denied("echo hi")).toBeUndefined();
    expect(await denied("rm x")).toMatchObject({ allowed: false, denial: { by: "rule" } });
  });
});
