import { describe, expect, it } from "vitest";
import { judgeUrl } from "../../../core/permission/judge-url.ts";
import type { Effect } from "../../../core/permission/permission.ts";
import { createPermissions, type DefaultEffect } from "../../../core/permission/permissions.ts";

const permissions = (rules: [pattern: string, effect: Effect][], { yolo = false, otherwise = "prompt" as DefaultEffect } = {}) =>
  createPermissions({
    syntax: { understand: () => Promise.reject(new Error("no command is judged here")) },
    project: "/project",
    folders: { config: "/c", cache: "/k", state: "/s" },
    policy: () => ({
      rules: rules.map(([pattern, effect]) => ({ tool: "webfetch", pattern, effect, layer: "user", from: "" })),
      yolo,
      yoloUnparseable: false,
      defaultEffect: () => otherwise,
    }),
  });
const page = "https://a.example/docs/x";
const judge = (made: ReturnType<typeof permissions>, tool = "webfetch", url = page) => judgeUrl(made, url, { tool, sessionId: "s" });

describe("judgeUrl()", () => {
  it.each([
    [[], "uncovered"],
    [[["https://a.example/*", "allow"]], "allow"],
    [[["https://a.example/*", "ask"]], "ask"],
    [[["https://a.example/docs/*", "deny"]], "deny"],
    [[["https://a.example.evil/*", "allow"]], "uncovered"],
    [[["http://a.example/*", "allow"]], "uncovered"],
    [[["https://a.example:8443/*", "allow"]], "uncovered"],
  ] as [[string, Effect][], string][])("says by %j: %s", async (rules, verdict) => {
    expect(await judge(permissions(rules))).toBe(verdict);
  });

  it("knows the rules for one tool from those for another", async () => {
    expect(await judge(permissions([["https://a.example/*", "deny"]]), "weather")).toBe("uncovered");
  });

  it("takes yolo and a default into account, but no default for a rule", async () => {
    expect(await judge(permissions([], { yolo: true }))).toBe("allow");
    expect(await judge(permissions([], { otherwise: "allow" }))).toBe("allow");
    expect(await judge(permissions([], { otherwise: "deny" }))).toBe("ask");
    expect(await judge(permissions([[`${page}*`, "deny"]], { yolo: true }))).toBe("deny");
  });
});
