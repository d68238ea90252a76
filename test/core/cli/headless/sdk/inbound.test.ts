import { describe, expect, it } from "vitest";
import { parseInbound } from "../../../../../core/cli/headless/sdk/inbound.ts";

const parse = (value: unknown) => parseInbound(JSON.stringify(value));
const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(92)]).toString("base64");

describe("parseInbound()", () => {
  it("takes a message as text or as blocks, and leaves out what it does not know", () => {
    expect(parse({ type: "user", message: { role: "user", content: "Go" } })).toEqual({ type: "user", text: "Go", images: [], skipped: 0 });
    const content = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "bm8gaW1hZ2U=" } },
      { type: "audio" },
      null,
    ];
    expect(parse({ type: "user", message: { role: "user", content } })).toEqual({
      type: "user",
      text: "a\nb",
      images: [{ mediaType: "image/png", base64: png }],
      skipped: 3,
    });
  });

  const allow = { type: "control_response", requestId: "r", verdict: { behavior: "allow", keeps: [], updatedInput: undefined } };
  const deny = { type: "control_response", requestId: "r", verdict: { behavior: "deny", message: undefined, interrupts: false } };
  const rule = { toolName: "Bash", ruleContent: "make *" };
  it.each([
    ["a flat allow", { request_id: "r", behavior: "allow" }, allow],
    ["a nested allow", { subtype: "success", request_id: "r", response: { behavior: "allow" } }, allow],
    [
      "an allow to be kept",
      { request_id: "r", behavior: "allow", updatedPermissions: [{ type: "addRules", behavior: "allow", rules: [rule], destination: "session" }] },
      { ...allow, verdict: { ...allow.verdict, keeps: [rule] } },
    ],
    [
      "an allow with rules that deny",
      { request_id: "r", behavior: "allow", updatedPermissions: [{ type: "addRules", behavior: "deny", rules: [rule] }] },
      allow,
    ],
    [
      "an allow with something else beside a rule to keep",
      { request_id: "r", behavior: "allow", updatedPermissions: [{ type: "addRules", behavior: "allow", rules: [rule] }, { type: "removeRules" }] },
      allow,
    ],
    [
      "an allow with a rule for everything",
      { request_id: "r", behavior: "allow", updatedPermissions: [{ type: "addRules", behavior: "allow", rules: [{ toolName: "Bash" }] }] },
      allow,
    ],
    ["an allow with what is no rule", { request_id: "r", behavior: "allow", updatedPermissions: [{}] }, allow],
    ["an error with an allow in it", { subtype: "error", request_id: "r", error: "broke", response: { behavior: "allow" } }, deny],
    ["an error that allows", { subtype: "error", request_id: "r", behavior: "allow" }, deny],
    ["an allow over a nested deny", { request_id: "r", behavior: "allow", response: { behavior: "deny" } }, deny],
    ["an allow with no permissions to keep", { request_id: "r", behavior: "allow", updatedPermissions: [] }, allow],
    [
      "a changed input",
      { request_id: "r", behavior: "allow", updatedInput: { a: 1 } },
      { ...allow, verdict: { ...allow.verdict, updatedInput: { a: 1 } } },
    ],
    ["a flat deny", { request_id: "r", behavior: "deny" }, deny],
    [
      "a nested deny with words",
      { subtype: "success", request_id: "r", response: { behavior: "deny", message: "no", interrupt: true } },
      { ...deny, verdict: { behavior: "deny", message: "no", interrupts: true } },
    ],
    ["another word", { request_id: "r", behavior: "allowed" }, deny],
    ["an allow that is not quite one", { request_id: "r", behavior: "allow", updatedPermissions: "all" }, deny],
    ["a deny that wins over a nested allow", { request_id: "r", behavior: "deny", response: { behavior: "allow" } }, deny],
    ["an error", { subtype: "error", request_id: "r", error: "broke" }, deny],
    ["nothing", { request_id: "r" }, deny],
    ["a nested nothing", { request_id: "r", response: null }, deny],
  ])("reads %s", (_name, response, expected) => {
    expect(parse({ type: "control_response", response })).toEqual(expected);
  });

  it.each(["", "{", "null", "7", "[]", '{"type":7}', '{"type":"what"}', '{"type":"user"}', '{"type":"control_request","request_id":"r"}'])(
    "does not understand %s",
    (line) => {
      expect(parseInbound(line).type).toBe("unknown");
    },
  );
});
