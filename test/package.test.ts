import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

/** A program's folder with the package as npm would publish it, and nothing beside it but what it depends on. */
let program: string;
const installed = () => join(program, "node_modules/mortise");

beforeAll(async () => {
  program = await realpath(await mkdtemp(join(tmpdir(), "mortise-package-")));
  await mkdir(installed(), { recursive: true });
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", program], { cwd: root });
  await run("tar", ["xzf", join(program, stdout.trim()), "--strip-components=1", "-C", installed()]);
  // What `prepare` adds, of the sources as they are.
  await rm(join(installed(), "dist/types"), { recursive: true, force: true });
  await run("tsc", ["-p", join(root, "core/tsconfig.types.json"), "--outDir", join(installed(), "dist/types")], { env: withTools() });
  await cp(join(root, "core/node-version.d.mts"), join(installed(), "dist/types/core/node-version.d.mts"));
  const { dependencies } = JSON.parse(await readFile(join(installed(), "package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    const link = join(program, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, "node_modules", name), link);
  }
  await writeFile(join(program, "package.json"), JSON.stringify({ type: "module" }));
}, 300_000);
afterAll(() => rm(program, { recursive: true, force: true }));

function withTools(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` };
}

describe("the package", () => {
  it("has types of its own: a strict program that checks every library compiles, and needs none of the AI SDK", { timeout: 300_000 }, async () => {
    await writeFile(
      join(program, "program.ts"),
      `import { type CallRecord, createHost, type Host, MortiseError, type NativeTool } from "mortise";
import { type Agent, createAgent, type LanguageModel, type Model, modelOfTier, type ModelSettings, notify, openModel, type SessionEvent, tierOf, type Tiers } from "mortise/agent";
import { definePlugin, deny } from "mortise/sdk";
import { testHost } from "mortise/testing";

export const plugin = definePlugin({ name: "guard", steer: ["tool.bash.input"] }, (api) => {
  api.setSlot("tool.bash.input", (prev, { command }) => (command === "reboot" ? deny("Not here.") : prev()));
});

const add: NativeTool = { name: "add", description: "Adds.", inputSchema: { type: "object" }, scopes: "none", run: ({ a, b }) => String(Number(a) + Number(b)) };

export async function drive(languageModel: LanguageModel): Promise<SessionEvent[]> {
  await using host: Host = await createHost({ tools: [add] });
  const settings: ModelSettings = { models: {} };
  const tiers: Tiers = { of: (spec) => tierOf(spec, settings), model: (tier, parent) => modelOfTier(tier, parent, settings) };
  const model: Model = { ...(await openModel("embedded/scripted", { models: {} })), languageModel };
  const agent: Agent = createAgent({ host, model, tiers, openModel: (spec) => openModel(spec, settings) });
  const outcome: "delivered" | "not_delivered" = await notify(agent.sessionId, "A job ended.");
  const events: SessionEvent[] = [];
  for await (const event of agent.run({ text: outcome, source: "plugin" }).events) events.push(event);
  const record: CallRecord = await host.call({ tool: "add", input: { a: 1, b: 2 } });
  if (record.code !== null) throw new MortiseError(record.code);
  await (await testHost()).close();
  return events;
}
`,
    );
    const compilerOptions = {
      module: "nodenext",
      target: "es2024",
      lib: ["es2024", "esnext.disposable"],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: ["node"],
    };
    await writeFile(join(program, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    const { stdout } = await run("tsc", ["-p", program, "--listFiles"], { env: withTools(), maxBuffer: 32e6 }).catch(
      (error: { stdout?: string }) => ({
        stdout: error.stdout ?? String(error),
      }),
    );
    expect(stdout.split("\n").filter((line) => line.includes("error TS"))).toEqual([]);
    expect(stdout).toContain("node_modules/mortise/dist/types/core/agent/agent.d.ts");
    expect(stdout).not.toMatch(/node_modules\/(@ai-sdk|ai)\//);
  });

  it("has all that it runs from", { timeout: 120_000 }, async () => {
    await writeFile(
      join(program, "program.mjs"),
      `import { createHost } from "mortise";
import { createAgent, openModel } from "mortise/agent";
const host = await createHost({ yolo: true });
console.log((await host.call({ tool: "bash", input: { command: "echo from bash" } })).text.trim());
const agent = createAgent({ host, model: await openModel("embedded/scripted", { models: {} }) });
for await (const event of agent.run({ text: "How many TypeScript files are here?", source: "plugin" }).events) if (event.type === "done") console.log(event.reason, event.text);
await agent.close();
await host.close();
`,
    );
    const { stdout, stderr } = await run(process.execPath, ["program.mjs"], { cwd: program });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^from bash\nend_turn There .*TypeScript file/);
  });

  it("has a command line", { timeout: 120_000 }, async () => {
    const env = {
      ...process.env,
      MORTISE_CONFIG_HOME: join(program, "c"),
      MORTISE_CACHE_HOME: join(program, "k"),
      MORTISE_STATE_HOME: join(program, "s"),
    };
    const { stdout } = await run(process.execPath, [join(installed(), "core/cli/mortise.mjs"), "call", "bash", '{"command":"echo hi"}', "--yolo"], {
      cwd: program,
      env,
    });
    expect(stdout).toMatch(/^hi\n/);
  });
});
