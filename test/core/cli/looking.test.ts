import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, PROBE, type Scratch, scratch } from "./run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
  await here.write("project/probe.ts", PROBE);
});
afterEach(() => here.remove());

const say = (text: string) => here.run(["call", "say", JSON.stringify({ text }), "--plugin", "probe.ts", "--json"]);

describe("trace", () => {
  it("lists sessions, newest first, and shows the calls of one", async () => {
    const first = jsonOf((await say("one")).stdout).sessionId;
    const second = jsonOf((await say("two")).stdout).sessionId;
    const listed = JSON.parse((await here.run(["trace", "--json"])).stdout);
    expect(listed.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual([second, first]);
    const { code, stdout } = await here.run(["trace", String(first)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/say .*"one"/);
    expect(JSON.parse((await here.run(["trace", String(first).slice(0, 8), "--json"])).stdout)).toMatchObject([{ tool: "say", text: "one" }]);
  });

  it("shows what layers did to the agent between its calls", async () => {
    await here.write(
      "project/polite.ts",
      `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "polite", steer: ["agent.user_message"] }, (api) => {
  api.setSlot("agent.user_message", (prev, message) => prev({ ...message, text: message.text + " Please." }));
});`,
    );
    const ran = jsonOf((await here.run(["run", "How many files are here?", "--plugin", "polite.ts", "--output", "json"])).stdout);
    const session = String((ran as { session_id?: unknown }).session_id);
    const { stdout } = await here.run(["trace", session]);
    expect(stdout).toMatch(
      /^agent\.user_message {2}.*\n {2}agent\.user_message {2}polite {2}layer .* changed\n.*are here\?".*\n.*are here\? Please\."/m,
    );
    expect(JSON.parse((await here.run(["trace", session, "--json"])).stdout)[0]).toMatchObject({
      slot: "agent.user_message",
      trace: [{ plugin: "polite", outcome: "changed" }],
    });
  });

  it("exits with 4 for a session that is not there", async () => {
    for (const id of ["nowhere", "../../etc", ""]) expect((await here.run(["trace", id])).code).toBe(4);
    expect(jsonOf((await here.run(["trace", "nowhere", "--json"])).stdout).error?.code).toBe("no_session");
  });

  it("says that there are none yet", async () => {
    expect(await here.run(["trace"])).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("logs", () => {
  it("show what plugins logged, of one where that is asked for", async () => {
    for (const name of ["a", "b"]) {
      await here.write(
        `project/${name}.ts`,
        `import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "${name}", steer: ["tool.bash.input"] }, (api) => { api.judge("tool.bash.input", () => { api.log.warn("from ${name}\\u001b[2J"); }); });`,
      );
    }
    await here.run(["call", "bash", '{"command":"true"}', "--yolo", "--plugin", "a.ts", "--plugin", "b.ts"]);
    const { code, stdout } = await here.run(["logs"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/warn +a +from a\\u\{1b\}\[2J/);
    expect(stdout).toContain("from b");
    const lines = (await here.run(["logs", "--plugin", "b", "--json"])).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", plugin: "b", text: "from b\u001b[2J" }]);
  });
});

describe("doctor", () => {
  it("finds nothing wrong with a fresh install", async () => {
    const { code, stdout } = await here.run(["doctor"]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^ok +node: /m);
    expect(stdout).toMatch(/^ok +isolates: /m);
    expect(stdout).toMatch(/^ok +syntax: /m);
    expect(stdout).toMatch(/^ok +settings: /m);
    expect(stdout).not.toMatch(/^(warning|error)/m);
  });

  it("warns of what does not run and of a project that is not trusted, and says what to do", async () => {
    await here.write("project/.mortise/config.jsonc", "{}");
    await here.write(
      "project/unpaid.ts",
      'import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "unpaid" }, (api) => { api.setSlot("tool.bash.input", (prev) => prev()); });',
    );
    const { code, stdout } = await here.run(["doctor", "--plugin", "unpaid.ts", "--json"]);
    expect(code).toBe(0);
    const { ok, findings } = JSON.parse(stdout);
    expect(ok).toBe(true);
    const warnings = findings.filter(({ state }: { state: string }) => state === "warning");
    expect(warnings).toEqual(
      expect.arrayContaining([expect.objectContaining({ check: "trust", fix: expect.stringContaining("mortise trust add") })]),
    );
    expect(warnings).toEqual(expect.arrayContaining([expect.objectContaining({ plugin: "unpaid", fix: expect.any(String) })]));
  });

  it("exits with 1 for what is broken, and still looks at the rest", async () => {
    await here.write("home/config/config.jsonc", "{ nope");
    const { code, stdout } = await here.run(["doctor", "--json"]);
    expect(code).toBe(1);
    const { ok, findings } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ state: "error", check: "settings", message: expect.stringMatching(/config\.jsonc:1:\d+/) })]),
    );
    expect(findings).toEqual(expect.arrayContaining([expect.objectContaining({ state: "ok", check: "isolates" })]));
  });

  it("exits with 1 for a folder that cannot be written", async () => {
    const file = await here.write("home/file", "in the way");
    const { code, stdout } = await here.run(["doctor"], { env: { MORTISE_STATE_HOME: join(file, "state") } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error +state folder: .*\n +.*MORTISE_STATE_HOME/m);
  });
});
