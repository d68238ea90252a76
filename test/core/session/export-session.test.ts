import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOfSession, markdownOfSession } from "../../../core/session/export-session.ts";
import { createSessions, type StoredSession } from "../../../core/session/sessions.ts";
import { type Scratch, scratch } from "./scratch.ts";

let here: Scratch;
let stored: StoredSession;
beforeEach(async () => {
  here = await scratch();
  const sessions = createSessions(here.state);
  const session = await sessions.create({ id: "s", model: "m/1", backend: "ai-sdk", cwd: here.cwd });
  const image = { mediaType: "image/png", base64: "QUJD".repeat(1_000) };
  await session.append({ role: "user", text: "Look\n\u001b[2Jhere", images: [image], rewrittenBy: "house-rules" });
  await session.append({
    role: "assistant",
    parts: [
      { type: "thinking", text: "one\ntwo", provider: { signature: "for the provider alone" } },
      { type: "text", text: "I look." },
      { type: "call", toolId: "t1", tool: "bash", input: { command: "ls" } },
    ],
    model: "m/1",
  });
  await session.addResult({ toolId: "t1", tool: "bash", text: `\ta\r\n\`\`\`\u202e\n${"line\n".repeat(30)}end`, isError: true, images: [image] });
  await session.addPermission({ toolId: "t1", tool: "bash", decision: "allow", source: "person", scopes: ["ls", "rm\n\u202ex"] });
  await session.addUsage("m/1", { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, 0.5);
  await session.end("error", { code: "c", message: "m" });
  await session.close();
  stored = await sessions.read("s");
});
afterEach(() => here.remove());

describe("jsonOfSession()", () => {
  it("has what was said and done, facts of images, and nothing of providers", () => {
    const json = JSON.parse(JSON.stringify(jsonOfSession(stored)));
    expect(json).toMatchObject({
      id: "s",
      title: "Look \u001b[2Jhere",
      ended: "error",
      error: { code: "c", message: "m" },
      costUsd: 0.5,
      usage: { "m/1": { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, costUsd: 0.5 } },
      forkedFrom: null,
      permissions: [{ tool: "bash", decision: "allow", source: "person", scopes: ["ls", "rm\n\u202ex"] }],
      messages: [
        { role: "user", rewrittenBy: "house-rules", images: [{ mediaType: "image/png", bytes: 3_000 }] },
        { role: "assistant", parts: [{ type: "thinking" }, { type: "text", text: "I look." }, { type: "call", tool: "bash" }] },
        { role: "tool", results: [{ toolId: "t1", isError: true, images: [{ mediaType: "image/png", bytes: 3_000 }] }] },
      ],
    });
    expect(JSON.stringify(json)).not.toMatch(/QUJD|for the provider alone/);
  });
});

describe("markdownOfSession()", () => {
  it("is all of it, with fences that nothing in it ends, and nothing that steers a terminal", () => {
    const text = markdownOfSession(stored);
    expect(text).toContain("## User (rewritten by house-rules)\n\nLook\n\\u{1b}[2Jhere\n\n[image: image/png, 3000 bytes]");
    expect(text).toContain("> one\n> two\n\nI look.\n\n### Call of bash\n\n```json\n");
    expect(text).toContain("### Error of bash\n\n````\n\ta\n```\\u{202e}\nline\n");
    expect(text).toContain("line\nend\n````\n");
    expect(text).toContain("## Permissions\n\n- allowed bash (person): ls; rm \\u{202e}x\n");
    expect(text).toContain("- cost: 0.5000 USD");
    for (const hidden of ["QUJD", "for the provider alone", "\u001b", "\u202e", "\r"]) expect(text).not.toContain(hidden);
  });

  it("shows as many lines of a result as are asked for", () => {
    const text = markdownOfSession(stored, 3);
    expect(text).toContain("line\n[30 more lines]\n````");
    expect(text.match(/^line$/gm)).toHaveLength(1);
  });
});
