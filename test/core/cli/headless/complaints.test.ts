import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelServer, ServerStep } from "../../../fake-servers/model-server.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";
import { type Ended, ended, isAlive, type Scratch, scratch, until } from "../run-cli.ts";

let here: Scratch;
let server: ModelServer | undefined;
beforeEach(async () => {
  here = await scratch();
});
afterEach(async () => {
  await server?.close();
  await here.remove();
});

/** A model that does what the steps say, as the one of the config. */
async function model(steps: ServerStep[], config: object = {}): Promise<ModelServer> {
  server = await startOpenAiServer(steps);
  const models = { default: "fake/one", providers: { fake: { url: server.url } } };
  await here.write("home/config/config.jsonc", JSON.stringify({ models, ...config }));
  return server;
}

const bash = (command: string): ServerStep => ({ kind: "calls", calls: [{ tool: "bash", input: { command } }] });
const end: ServerStep = { kind: "text", text: "It is done." };
const linesOf = ({ stdout }: Ended): Record<string, unknown>[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const isThere = (name: string) =>
  access(join(here.folder, name)).then(
    () => true,
    () => false,
  );
const pidIn = (name: string) =>
  readFile(join(here.folder, name), "utf8").then(
    (text) => Number(text.trim()) || undefined,
    () => undefined,
  );

describe("a run hangs for ever", () => {
  it("not where the model answers nothing more after a call: it ends at its timeout, with one result", async () => {
    await model([bash("true"), { kind: "silent", after: "head" }]);
    const done = await here.run(["run", "Go", "--yolo", "--timeout", "4", "--output", "json"]);
    expect({ code: done.code, lines: linesOf(done) }).toMatchObject({ code: 3, lines: [{ terminal_reason: "timeout" }] });
  });

  it("not where a command never ends: the command does, and the model reads why", async () => {
    const { requests } = await model([bash("echo begun; sleep 300"), end], { options: { bash: { timeoutSeconds: 1 } } });
    const done = await here.run(["run", "Go", "--yolo"]);
    expect(done).toMatchObject({ code: 0, stdout: "It is done.\n" });
    expect(JSON.stringify(requests[1]?.body)).toMatch(/begun.*timed out/);
  });

  it("not where a command leaves a server running, which ends with the run", async () => {
    await model([bash("sleep 300 & echo $! > pid"), end]);
    const done = await here.run(["run", "Go", "--yolo"]);
    expect(done).toMatchObject({ code: 0, stdout: "It is done.\n" });
    const pid = await pidIn("pid");
    await until(() => !isAlive(pid ?? 0), "the end of the server");
  });

  it.each(["touch made", "echo x | tee made", "true && touch made", "echo $(touch made)"])(
    "not where nobody can allow %s: it is denied",
    async (command) => {
      await model([bash(command), end]);
      const done = await here.run(["run", "Go", "--output", "json"]);
      expect({ code: done.code, lines: linesOf(done) }).toMatchObject({ code: 5, lines: [{ permission_denials: [{ tool: "bash" }] }] });
      expect(await isThere("made")).toBe(false);
    },
  );
});

describe("rules and layers count without a person", () => {
  it("as rules that allow", async () => {
    await model([bash("touch made"), end]);
    await here.write("home/config/permissions.jsonc", JSON.stringify({ rules: [{ tool: "bash", pattern: "*", effect: "allow" }] }));
    expect((await here.run(["run", "Go"])).code).toBe(0);
    expect(await isThere("made")).toBe(true);
  });

  const asking = `import { ask, definePlugin } from "mortise/sdk";
export default definePlugin({ name: "asking", steer: ["tool.bash.input"] }, (api) => { api.setSlot("tool.bash.input", () => ask("Is it safe?")); });`;

  it("as a layer that asks: denied and told where nobody is there, whatever is allowed", async () => {
    await model([bash("touch made"), end]);
    await here.write("project/asking.ts", asking);
    const done = await here.run(["run", "Go", "--yolo", "--plugin", "asking.ts", "--output", "json"]);
    expect({ code: done.code, lines: linesOf(done) }).toMatchObject({ code: 5, lines: [{ permission_denials: [{ tool: "bash" }] }] });
    expect(await isThere("made")).toBe(false);
  });

  it("as a layer that asks: shown to the other side of stream-json", async () => {
    await model([bash("touch made"), end]);
    await here.write("project/asking.ts", asking);
    const child = here.start(["run", "--input", "stream-json", "--output", "stream-json", "--yolo", "--plugin", "asking.ts"]);
    let shown = "";
    child.stdout.on("data", (text) => {
      shown += text;
    });
    const done = ended(child);
    child.stdin?.write(`${JSON.stringify({ type: "user", message: { role: "user", content: "Go" } })}\n`);
    await until(() => shown.includes("can_use_tool"), "a question");
    const asked = shown
      .split("\n")
      .filter((line) => line.includes("can_use_tool"))
      .map((line) => JSON.parse(line));
    child.stdin?.write(`${JSON.stringify({ type: "control_response", response: { request_id: asked[0].request_id, behavior: "allow" } })}\n`);
    await until(() => shown.includes('"type":"result"'), "a result");
    child.stdin?.end();
    expect((await done).code).toBe(0);
    expect(await isThere("made")).toBe(true);
  });

  it("as nobody to be questioned: the tool that would is not offered", async () => {
    const { requests } = await model([end]);
    await here.run(["run", "Go"]);
    const tools = JSON.stringify(requests[0]?.body.tools);
    expect(tools).toContain('"bash"');
    expect(tools).not.toContain('"question"');
  });
});

describe("how a run ended is told", () => {
  it("where the model thinks and says nothing", async () => {
    await model([{ kind: "thinking", thinking: "Hm.", text: "" }]);
    const done = await here.run(["run", "Go", "--output", "json"]);
    expect({ code: done.code, lines: linesOf(done) }).toMatchObject({ code: 1, lines: [{ is_error: true, terminal_reason: "no_answer" }] });
    const text = await here.run(["run", "Go"]);
    expect(text).toMatchObject({ code: 1, stdout: "" });
    expect(text.stderr).toContain("without an answer");
  });

  it("where the provider fails, in words too", async () => {
    await model([{ kind: "status", status: 400, error: { message: "The request is odd." } }]);
    const done = await here.run(["run", "Go"]);
    expect(done).toMatchObject({ code: 1, stdout: "" });
    expect(done.stderr).toContain("The request is odd.");
  });

  it("with retries and loops that were noticed", async () => {
    await model([{ kind: "cut", text: "Half" }, bash("echo same"), bash("echo same"), bash("echo same"), end]);
    const done = await here.run(["run", "Go", "--yolo", "--output", "stream-json"]);
    const subtypes = linesOf(done).map(({ subtype }) => subtype);
    expect(subtypes).toContain("api_retry");
    expect(subtypes).toContain("loop_detected");
    expect(linesOf(done).at(-1)).toMatchObject({ type: "result", retries: 1, result: "It is done." });
  });

  it("after the call of a try that was made again has ended", async () => {
    await model([{ kind: "cut", text: "Half" }, bash("sleep 1; touch made"), end]);
    expect(await here.run(["run", "Go", "--yolo"])).toMatchObject({ code: 0, stdout: "It is done.\n" });
    expect(await isThere("made")).toBe(true);
  });
});

describe("a run that is killed", () => {
  it.runIf(process.platform === "linux")("leaves no process, and a session that is gone on with", async () => {
    const { requests } = await model([bash("echo $$ > pid; sleep 300"), end]);
    const child = here.start(["run", "Go", "--yolo"]);
    child.stdin?.end();
    const done = ended(child);
    await until(async () => (await pidIn("pid")) !== undefined, "the command");
    const pid = await pidIn("pid");
    child.kill("SIGKILL");
    await done;
    await until(() => !isAlive(pid ?? 0), "the end of the command");
    expect(await here.run(["run", "And now?", "--continue"])).toMatchObject({ code: 0, stdout: "It is done.\n" });
    const messages = requests[1]?.body.messages;
    const roles = Array.isArray(messages) ? messages.map(({ role }: { role: string }) => role) : [];
    expect(roles.filter((role) => role !== "system")).toEqual(["user", "assistant", "tool", "user"]);
  });
});
