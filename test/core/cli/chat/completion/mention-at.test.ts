import { describe, expect, it } from "vitest";
import { mentionAt, mentionedPaths } from "../../../../../core/cli/chat/completion/mention-at.ts";

describe("mentionAt()", () => {
  it.each([
    ["@", { trigger: "@", query: "" }],
    ["see @src/a", { trigger: "@", query: "src/a" }],
    ["(@a", { trigger: "@", query: "a" }],
    ['@"my fi', { trigger: "@", query: '"my fi' }],
    ["größe #12", { trigger: "#", query: "12" }],
    ["日本 @ファ", { trigger: "@", query: "ファ" }],
    ["a\t@b", { trigger: "@", query: "b" }],
    ["me@host", undefined],
    ["é@host", undefined],
    ["@a b", undefined],
    ["#", { trigger: "#", query: "" }],
    ["$x", undefined],
    ["", undefined],
  ])("finds in %j %j", (before, mention) => {
    expect(mentionAt(before, ["@", "#"])).toEqual(mention);
  });

  it("takes characters that mean something in patterns as themselves", () => {
    for (const trigger of ["^", "]", "-", "\\", ".", "*", "$"]) expect(mentionAt(`a ${trigger}b`, ["@", trigger])).toEqual({ trigger, query: "b" });
    expect(mentionAt("a xb", ["@", "."])).toBeUndefined();
  });
});

describe("mentionedPaths()", () => {
  it.each([
    ["look at @src/a.ts, and @b.png.", ["src/a.ts", "b.png"]],
    ['(@"my file.ts") @a @a', ["my file.ts", "a"]],
    ["me@host.com and @", []],
    ["@~/shot.png\n@/tmp/x.gif", ["~/shot.png", "/tmp/x.gif"]],
  ])("finds in %j %j", (text, paths) => {
    expect(mentionedPaths(text)).toEqual(paths);
  });
});
