import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestHost, type TestOptions, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Person } from "../../core/person.ts";
import { packSources } from "../../core/plugins/discover.ts";
import type { CallRecord } from "../../core/record.ts";
import { audiences, capabilities, freeMethods } from "../../sdk/contract.ts";
import { waitUntil } from "../support/wait-until.ts";
import { driver, fakes, prepare, type Sample, samples } from "./samples.ts";

const pack = fileURLToPath(new URL("../../plugins", import.meta.url));

/** Milliseconds that any call may take at most, on a busy machine. */
const SOON_MS = 15_000;
/** What the model sees of one result, with the line that says what was left out. */
const SHOWN_BYTES = 51_200 + 1_000;
const SHOWN_LINES = 2_000 + 4;

/** Somebody who takes what comes first. */
const person: Person = { ask: async ({ options }) => ({ chosen: options.slice(0, 1).map(({ label }) => label) }) };
const hosts: TestHost[] = [];

async function start(options: TestOptions = {}): Promise<TestHost> {
  const host = await testHost({ fakes, person, ...options });
  hosts.push(host);
  host.agent.drive({ sessionId: host.sessionId }, driver);
  await prepare(host.folder);
  return host;
}
afterAll(async () => {
  for (const host of hosts) await host.close();
});

/** The tools of the pack, as they are registered. */
const listed = await testHost({ person }).then(async (host) => {
  const plugins = host.plugins();
  const tools = plugins.flatMap(({ name, asks, manifest }) => manifest.tools.map((tool) => ({ ...tool, plugin: name, asks })));
  await host.close();
  return tools;
});
const tools = listed.map((tool) => [tool.name, tool, samples[tool.name] ?? { input: {} }] as const);
type Tool = (typeof listed)[number];

type Field = { type?: unknown; description?: unknown; properties?: Record<string, Field>; required?: string[]; items?: Field; enum?: unknown[] };
const fieldsOf = (tool: Tool) => Object.entries((tool.inputSchema as Field).properties ?? {});

describe("the table of samples", () => {
  it("has every tool of the pack, and no other", () => {
    expect(Object.keys(samples).sort()).toEqual(listed.map(({ name }) => name).sort());
  });
});

describe.each(tools)("%s is described", (_name, tool) => {
  it("for a model: what it does, and each field of its input", () => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(tool.description.length).toBeGreaterThan(60);
    expect(tool.description.length).toBeLessThan(8_000);
    expect(tool.inputSchema).toMatchObject({ type: "object" });
    checkFields(tool.inputSchema as Field, tool.name);
    for (const name of Object.values(tool.aliases)) expect(fieldsOf(tool).map(([field]) => field)).toContain(name);
  });

  it("for the host: kind, time, audiences, and what it needs or would do", () => {
    expect(["read", "search", "edit", "execute", "fetch", "other"]).toContain(tool.kind);
    expect(tool.timeoutMs ?? 120_000).toBeLessThanOrEqual(3_600_000);
    expect(audiences).toEqual(expect.arrayContaining([...(tool.audiences ?? [])]));
    // A tool that uses a capability says which, and has scopes for rules to judge.
    const asked = Object.keys(tool.asks);
    if (asked.length > 0 && tool.capability !== null) expect(asked).toContain(tool.capability);
    if (tool.capability !== null && tool.capability !== "env") expect(tool.scopes, "scopes").not.toBeNull();
    if (tool.kind === "edit" && tool.writes !== null) expect(fieldsOf(tool).map(([field]) => field)).toContain(tool.writes);
  });
});

function checkFields(schema: Field, path: string): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const at = `${path}.${name}`;
    expect(field.description, `${at} has no description`).toEqual(expect.stringMatching(/\S{2}/));
    checkFields(field, at);
    if (field.items !== undefined) checkFields(field.items, `${at}[]`);
  }
  for (const name of schema.required ?? []) expect(Object.keys(schema.properties ?? {}), path).toContain(name);
}

describe("works", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await start();
  });

  it.each(tools)("%s does what its sample asks for", async (name, _tool, sample) => {
    const record = await host.call(name, sample.input);
    expect(record, record.text).toMatchObject({ ran: true, isError: false, code: null });
    expect(record.text).not.toBe("");
  });
});

describe("is gated", () => {
  let bare: TestHost;
  let denying: TestHost;
  beforeAll(async () => {
    bare = await start({ builtins: false, plugins: await packSources(pack), grant: async () => ({ granted: {}, steer: [] }) });
    denying = await start({ rules: listed.map(({ name }) => ({ tool: name, effect: "deny" as const })) });
  });

  it.each(tools.filter(([, tool]) => Object.keys(tool.asks).length > 0))(
    "%s does nothing without its grants, and says so",
    async (name, _tool, sample) => {
      const before = await filesOf(bare.folder);
      const record = await bare.call(name, sample.input);
      expect(record.isError, record.text).toBe(true);
      expect(record.text).toMatch(/not granted|mortise grant/);
      expect(await filesOf(bare.folder)).toEqual(before);
    },
  );

  it.each(tools)("%s never runs where a rule denies it", async (name, _tool, sample) => {
    const before = await filesOf(denying.folder);
    const record = await denying.call(name, sample.input);
    expect(record).toMatchObject({ ran: false, isError: true, code: "denied", permission: { decision: "deny", source: "rule" } });
    expectActionable(record);
    expect(await filesOf(denying.folder)).toEqual(before);
  });
});

describe("says what it would do", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await start({ answer: "deny" });
  });

  it.each(tools.filter(([, tool, sample]) => tool.kind === "edit" && sample.path !== undefined))(
    "%s asks before it writes where code is run from",
    async (name, _tool, sample) => {
      await mkdir(join(host.folder, ".git/hooks"), { recursive: true });
      await writeFile(join(host.folder, ".git/hooks/pre-commit"), "one two\n");
      const record = await host.call(name, { ...sample.input, [sample.path ?? ""]: ".git/hooks/pre-commit" }, { yolo: true });
      expect(record).toMatchObject({ ran: false, isError: true, code: "denied" });
      expect(host.prompts.at(-1)).toMatchObject({ tool: name, scopes: [{ kind: "path", access: "write", protected: true }] });
      expect(await readFile(join(host.folder, ".git/hooks/pre-commit"), "utf8")).toBe("one two\n");
    },
  );
});

describe("is bounded", () => {
  let host: TestHost;
  let stuck: TestHost;
  beforeAll(async () => {
    host = await start();
    const methods = [
      ...Object.values(capabilities).flatMap(({ methods }) => methods),
      ...freeMethods.filter((method) => /^(store|projectStore|syntax|tools|agent)\./.test(method)),
    ];
    // Nothing that the host is asked for is ever answered.
    stuck = await start({
      person: { ask: () => new Promise(() => {}) },
      fakes: Object.fromEntries(methods.map((method) => [method, () => new Promise(() => {})])),
    });
  });

  it.each(tools.filter(([, , sample]) => sample.huge !== undefined))("%s shows a model no more than fits", async (name, _tool, sample) => {
    const record = await host.call(name, sample.huge);
    expect(Buffer.byteLength(record.text)).toBeLessThanOrEqual(SHOWN_BYTES);
    expect(record.text.split("\n").length).toBeLessThanOrEqual(SHOWN_LINES);
    // What is left out is said, and how to get it.
    expect(record.text).toMatch(/left out|offset|go on|more|limit|of \d+/i);
    if (record.cut !== null && record.cut.bytes > 0)
      expect((await readFile(record.spill ?? "", "utf8")).length).toBeGreaterThan(record.text.length / 2);
  });

  // The clock of a call stands still while a person is asked.
  it.concurrent.each(tools.filter(([, tool]) => tool.needsPerson !== true))(
    "%s ends at its deadline, whatever it waits for",
    async (name, tool, sample) => {
      const begin = performance.now();
      const record = await stuck.call(name, sample.input, { timeoutMs: 400 });
      expect(performance.now() - begin).toBeLessThan(SOON_MS);
      if (Object.keys(tool.asks).length > 0 && record.isError) expect(record.code).toBe("deadline_passed");
      expectActionable(record);
    },
  );

  it.concurrent.each(tools)("%s ends when it is cancelled, whatever it waits for", async (name, tool, sample) => {
    const abort = new AbortController();
    const running = stuck.call(name, sample.input, { signal: abort.signal });
    setTimeout(() => abort.abort(), 300);
    const begin = performance.now();
    const record = await running;
    expect(performance.now() - begin).toBeLessThan(SOON_MS);
    if (Object.keys(tool.asks).length > 0 && record.isError) expect(record.code).toBe("cancelled");
    expectActionable(record);
  });

  it.each(tools.filter(slow))("%s keeps what it has at its deadline", { timeout: 60_000 }, async (name, _tool, sample) => {
    const record = await host.call(name, sample.slow, { timeoutMs: 2_500 });
    expect(record).toMatchObject({ isError: true, code: "deadline_passed" });
    if (sample.partial !== undefined) expect(record.text).toMatch(sample.partial);
    expectActionable(record);
  });

  it.each(tools.filter(slow))(
    "%s keeps what it has when it is cancelled, and leaves no process",
    { timeout: 60_000 },
    async (name, _tool, sample) => {
      const before = children();
      const abort = new AbortController();
      let shown = "";
      const running = host.call(name, sample.slow, { signal: abort.signal, onOutput: (text) => (shown += text) });
      // Not every tool shows while it runs what it keeps.
      await Promise.race([waitUntil(() => shown !== "").catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1_500))]);
      abort.abort();
      const record = await running;
      expect(record).toMatchObject({ isError: true, code: "cancelled" });
      if (sample.partial !== undefined) expect(record.text).toMatch(sample.partial);
      expectActionable(record);
      await waitUntil(() => children().length <= before.length);
    },
  );
});

function slow([, , sample]: readonly [string, Tool, Sample]): boolean {
  return sample.slow !== undefined;
}

describe("fails in words that a model can act on", () => {
  let host: TestHost;
  let outside: string;
  let server: Server;
  beforeAll(async () => {
    host = await start();
    outside = await mkdtemp(join(tmpdir(), "mortise-test-"));
    await writeFile(join(outside, "out.txt"), "outside\n");
    server = createServer();
    await badPlaces(host.folder, outside, server);
  });
  afterAll(async () => {
    server.close();
    await rm(outside, { recursive: true, force: true });
  });

  it.each(tools)("%s where a field is missing or of a wrong type", async (name, tool, sample) => {
    const required = (tool.inputSchema as Field).required ?? [];
    for (const field of required) {
      const { [field]: _, ...rest } = sample.input;
      const record = await host.call(name, rest);
      expect(record, field).toMatchObject({ ran: false, isError: true, code: "invalid_input" });
      expect(record.text).toContain(`${field}: expected`);
      expectActionable(record);
    }
    for (const [field, schema] of fieldsOf(tool)) {
      const record = await host.call(name, { ...sample.input, [field]: wrongOf(schema) });
      expect(record, field).toMatchObject({ ran: false, isError: true, code: "invalid_input" });
      expect(record.text).toContain(field);
      expectActionable(record);
    }
    for (const input of ["words", 7, null, [], [sample.input, sample.input]]) {
      const record = await host.call(name, input);
      if (required.length > 0) expect(record, JSON.stringify(input)).toMatchObject({ ran: false, isError: true, code: "invalid_input" });
      expectActionable(record);
    }
  });

  it.each(tools)("%s where a field is empty, huge or odd", { timeout: 120_000 }, async (name, tool, sample) => {
    for (const [field, schema] of fieldsOf(tool)) {
      for (const value of oddOf(schema, sample.input[field])) {
        const begin = performance.now();
        const record = await host.call(name, { ...sample.input, [field]: value }, { timeoutMs: 10_000 });
        const what = `${field}: ${JSON.stringify(value)?.slice(0, 60)}: ${record.text.slice(0, 200)}`;
        expect(performance.now() - begin, what).toBeLessThan(SOON_MS);
        expect(record.text, what).not.toBe("");
        expect(record.code, what).not.toBe("deadline_passed");
        expectActionable(record, what);
      }
    }
  });

  it.each(tools.filter(([, , sample]) => sample.path !== undefined))(
    "%s at places that are no usual file",
    { timeout: 120_000 },
    async (name, tool, sample) => {
      const places = [
        "gone.txt",
        "src",
        "pipe",
        "socket",
        "dangling",
        "circle",
        "out/out.txt",
        join(outside, "out.txt"),
        "/dev/null",
        "/dev/zero",
        "two-gigabytes.bin",
        "a.txt/b",
        "new\nline.txt",
        "/proc/self/mem",
      ];
      for (const place of places) {
        const begin = performance.now();
        const record = await host.call(name, { ...sample.input, [sample.path ?? ""]: place }, { timeoutMs: 10_000 });
        expect(performance.now() - begin, place).toBeLessThan(SOON_MS);
        expect(record.code, `${place}: ${record.text.slice(0, 200)}`).not.toBe("deadline_passed");
        expect(record.text, place).not.toBe("");
        // There is nothing there, whatever it is told to do with it.
        if (tool.kind !== "edit" && NOTHING.includes(place)) expect(record.isError, `${place}: ${record.text.slice(0, 200)}`).toBe(true);
        expectActionable(record, place);
      }
    },
  );
});

const NOTHING = ["gone.txt", "dangling", "circle", "a.txt/b"];

/** Places of a project that are no files, and one that leads out of it. */
async function badPlaces(folder: string, outside: string, server: Server): Promise<void> {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve));
  await symlink("nowhere", join(folder, "dangling"));
  await symlink("circle", join(folder, "circle"));
  await symlink(outside, join(folder, "out"));
  await writeFile(join(folder, "two-gigabytes.bin"), "");
  await truncate(join(folder, "two-gigabytes.bin"), 2 * 1024 ** 3);
}

function wrongOf({ type, properties, items }: Field): unknown {
  if (type === "string") return { a: 1 };
  if (type === "integer" || type === "number") return "many";
  if (type === "boolean") return "maybe";
  return properties === undefined && items === undefined && type === undefined ? { a: () => 1 } : 7;
}

function oddOf({ type, enum: values }: Field, usual: unknown): unknown[] {
  if (values !== undefined) return [""];
  if (type === "string") return ["", " ", "x".repeat(2_000_000), "a\u0000b", "\ud800", "deep/".repeat(2_000), "-rf", "\u202eabc\u2066", "$(id)`id`"];
  if (type === "integer" || type === "number") return [0, -1, 1, Number.MAX_SAFE_INTEGER, 1e300];
  if (type === "boolean") return [true, false];
  if (type === "array") {
    const [item] = Array.isArray(usual) ? usual : [];
    return [[], Array(2_000).fill(item ?? "x")];
  }
  return [{}];
}

/** What a model reads of a failure: a sentence of the host's or the tool's own, and nothing of how it is made. */
function expectActionable({ text, isError, code }: CallRecord, what = ""): void {
  expect(Buffer.byteLength(text), what).toBeLessThanOrEqual(SHOWN_BYTES);
  if (!isError) return;
  expect(text, what).toMatch(/[a-z]{2}/i);
  expect(
    ["internal", "plugin_threw", "wrong_answer", "isolate_lost", "runner_lost", "memory_exceeded", "payload_too_large", "slice_overrun"],
    `${what} ${text.slice(0, 300)}`,
  ).not.toContain(code);
  const said = text.slice(0, 4_000);
  for (const odd of [
    /\[object \w+\]/,
    /\bundefined\b/,
    /\bNaN\b/,
    /\n\s+at .+:\d+/,
    /\b(Type|Reference|Range|Syntax)Error\b/,
    /Something inside the host failed/,
    /The plugin threw/,
    /does not take: [^:]*\. See/,
    /used up its slice/,
  ])
    expect(said, what).not.toMatch(odd);
}

describe("leaves nothing behind", () => {
  it.each(tools)("%s after reloads and after its host", { timeout: 120_000 }, async (name, tool, sample) => {
    const host = await testHost({ fakes, person });
    const outer = children();
    host.agent.drive({ sessionId: host.sessionId }, driver);
    await prepare(host.folder, 10);
    const round = async () => {
      expect((await host.call(name, sample.input)).ran).toBe(true);
      await host.reload(tool.plugin);
    };
    await round();
    await round();
    const before = { files: openFiles(), timers: timers(), processes: children().length };
    for (let i = 0; i < 5; i++) await round();
    await waitUntil(() => openFiles() <= before.files && timers() <= before.timers && children().length <= before.processes);
    expect(host.problems()).toEqual([]);
    await host.close();
    await waitUntil(() => children().filter((pid) => !outer.includes(pid)).length === 0);
    expect(host.logs.filter(({ level }) => level === "error")).toEqual([]);
  });

  it.each(tools.filter(slow))("%s where it is reloaded while it runs", { timeout: 60_000 }, async (name, tool, sample) => {
    const host = await start();
    await host.call(name, sample.input);
    const before = children();
    const running = host.call(name, sample.slow, { timeoutMs: 3_000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await host.reload(tool.plugin);
    const record = await running;
    expectEnded(record);
    expect((await host.call(name, sample.input)).isError).toBe(false);
    await waitUntil(() => children().filter((pid) => !before.includes(pid)).length === 0);
  });
});

/** A call whose tool was swapped meanwhile says so, or went on to its own end. */
function expectEnded(record: CallRecord): void {
  expect(record.text).not.toBe("");
  expect(record.isError).toBe(true);
}

/** Every file and what it holds, without what the host keeps. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(folder, ".state")) && !path.includes("/many/"));
  return Object.fromEntries(await Promise.all(names.sort().map(async (path) => [path, (await readFile(path, "latin1")).slice(0, 1_000)] as const)));
}

function openFiles(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

/** Processes that this one started and that run, without those of the host itself: its runners, its parser, and what waits for its death. */
function children(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "latin1");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (Number(parent) !== process.pid || state === "Z") return [];
        const command = readFileSync(`/proc/${name}/cmdline`, "latin1");
        return /\0--permission\0|\0\nread -r word|esbuild/.test(command) ? [] : [Number(name)];
      } catch {
        return [];
      }
    });
}
