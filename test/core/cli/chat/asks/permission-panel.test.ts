import { describe, expect, it } from "vitest";
import { createPermissionPanel } from "../../../../../core/cli/chat/asks/permission-panel.ts";
import type { PromptAnswer, PromptRequest } from "../../../../../core/permission/permission.ts";

const DOWN = "\u001b[B";
const ENTER = "\r";
const ESCAPE = "\u001b";
const PAGE_DOWN = "\u001b[6~";
const RELEASE = "\u001b[13;1:3u";

const allow = { tool: "bash", pattern: "npm test *", effect: "allow" } as const;
const request: PromptRequest = {
  id: "1",
  tool: "bash",
  toolId: "t",
  sessionId: "s",
  input: { command: "npm test" },
  scopes: [{ kind: "command", text: "npm test" }],
  reasons: [],
  suggestions: [allow],
  asksAgain: [],
  denials: [{ tool: "bash", pattern: "npm test", effect: "deny" }],
  signal: new AbortController().signal,
};

function panelFor(
  change: Partial<PromptRequest> = {},
  { child = null as string | null, isTrusted = true, project = "/p/.mortise/permissions.jsonc" as string | null } = {},
) {
  const answers: PromptAnswer[] = [];
  const files = { project, user: "/u/permissions.jsonc" };
  const panel = createPermissionPanel({
    request: { ...request, ...change },
    child: () => child,
    files,
    isTrusted,
    waiting: () => 0,
    answer: (answer) => answers.push(answer),
  });
  const text = (rows = 40, width = 80) => panel.lines({ paint: (_style, of) => of, width, now: 0, expanded: false }, rows).join("\n");
  return { answers, text, press: (...keys: string[]) => keys.forEach(panel.key) };
}

describe("createPermissionPanel()", () => {
  it.each<[string, string[], PromptAnswer[]]>([
    ["1", ["1"], [{ decision: "allow" }]],
    ["2", ["2"], [{ decision: "allow", remember: "session" }]],
    ["3, then the project", ["3", "1"], [{ decision: "allow", remember: "project" }]],
    ["3, then the user", ["3", "2"], [{ decision: "allow", remember: "user" }]],
    ["3, and back", ["3", "3"], []],
    ["3, and Escape", ["3", ESCAPE], []],
    ["4", ["4"], [{ decision: "deny" }]],
    ["6, then the project", ["6", "1"], [{ decision: "deny", remember: "project" }]],
    ["an arrow and Enter", [DOWN, ENTER], [{ decision: "allow" }]],
    ["Enter alone", [ENTER, ENTER], []],
    ["a key that is let go", [DOWN, RELEASE], []],
    ["Escape", [ESCAPE], [{ decision: "deny" }]],
    ["5, words and Enter", ["5", "n", "o", ENTER], [{ decision: "deny", guidance: "no" }]],
    ["5 and Enter", ["5", ENTER], [{ decision: "deny" }]],
    ["5, Escape, 1", ["5", "x", ESCAPE, "1"], [{ decision: "allow" }]],
    ["any other key", ["y", "0", "9", " ", "\t"], []],
    ["a paste", ["\u001b[200~1\u001b[201~"], []],
  ])("answers to %s", (_name, keys, expected) => {
    const { answers, press } = panelFor();
    press(...keys);
    expect(answers).toEqual(expected);
  });

  it("shows the rule and the files before it keeps anything", () => {
    const { text, press, answers } = panelFor();
    press("3");
    expect(text()).toContain("allow bash: npm test *");
    expect(text()).toContain("/p/.mortise/permissions.jsonc");
    expect(text()).toContain("/u/permissions.jsonc");
    press(ESCAPE, "6");
    expect(text()).toContain("deny bash: npm test\n");
    expect(answers).toEqual([]);
  });

  it("offers no rule where the engine offers none, and no project without a folder for it", () => {
    const none = panelFor({ suggestions: [], denials: [] });
    expect(none.text()).toContain("No rule can allow it for good.");
    expect(none.text()).not.toMatch(/always|session/);
    none.press("2");
    expect(none.answers).toEqual([{ decision: "deny" }]);
    const homeless = panelFor({}, { project: null });
    homeless.press("3", "1");
    expect(homeless.answers).toEqual([{ decision: "allow", remember: "user" }]);
  });

  it("offers a project that is not trusted for rules that deny alone", () => {
    const allows = panelFor({}, { isTrusted: false });
    allows.press("3", "1");
    expect(allows.answers).toEqual([{ decision: "allow", remember: "user" }]);
    const denies = panelFor({}, { isTrusted: false });
    denies.press("6", "1");
    expect(denies.answers).toEqual([{ decision: "deny", remember: "project" }]);
  });

  it("says who asks, why, and about what", () => {
    const { text } = panelFor(
      {
        parent: { tool: "batch", toolId: "b" },
        reasons: [{ plugin: "guard", reason: "Live system." }],
        scopes: [{ kind: "path", access: "write", text: "/p/.git/hooks/x", protected: true }],
        asksAgain: [{ kind: "command", text: "sudo x" }],
      },
      { child: "scout" },
    );
    expect(text()).toContain("Allow bash? (called by batch, for the subagent scout)");
    expect(text()).toContain("guard asks\n| Live system.");
    expect(text()).toContain("write path /p/.git/hooks/x (protected: no rule can allow it)");
    expect(text()).toMatch(/goes on asking about\n\| command sudo x/);
  });

  it("shows what an edit takes and what it puts", () => {
    const { text } = panelFor({ input: { path: "a.ts", old_string: "one\ntwo", new_string: "three" } });
    expect(text()).toContain("| path: a.ts\n| - one\n| - two\n| + three");
  });

  it("hides nothing of a command: no escape, no direction, no padding", () => {
    const command = `ls\u001b[2K\u202e${" ".repeat(500)}; rm -rf /\u200b`;
    const { text } = panelFor({ input: { command }, scopes: [{ kind: "command", text: command }] });
    expect(text().replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
    expect(text()).toContain("\\u{1b}[2K\\u{202e} ⟨500 spaces⟩ ; rm -rf /\\u{200b}");
  });

  it("says that something is cut, shows both ends, and all of it page by page", () => {
    const { text, press } = panelFor({ input: { command: Array.from({ length: 100 }, (_, i) => `line ${i}.`).join("\n") }, denials: [] });
    const cut = text(24);
    expect(cut.split("\n").length).toBeLessThanOrEqual(24);
    expect(cut).toMatch(/line 0\.\n[\s\S]*lines are not shown here: PageDown/);
    expect(cut).toContain("allow bash: npm test *");
    const seen = new Set<string>();
    for (let page = 0; page < 60; page++) {
      press(PAGE_DOWN);
      for (const line of text(24).match(/line \d+\./g) ?? []) seen.add(line);
    }
    expect(seen.size).toBe(100);
  });

  it("fits forty columns", () => {
    const { text } = panelFor({ input: { command: "x".repeat(200) } });
    expect(
      Math.max(
        ...text(40, 40)
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(40);
  });
});
