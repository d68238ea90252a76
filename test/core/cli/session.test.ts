import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSessions, type Sessions } from "../../../core/session/sessions.ts";
import { ended, entry, findPrograms, jsonOf, type Scratch, scratch } from "./run-cli.ts";

// The one of util-linux: others take their command differently.
const pseudoTerminal = process.platform === "linux" && findPrograms("script").length > 0;

let here: Scratch;
let sessions: Sessions;
beforeEach(async () => {
  here = await scratch();
  sessions = createSessions(join(here.home, "state"));
});
afterEach(() => here.remove());

async function store(id: string, cwd = here.folder): Promise<void> {
  const session = await sessions.create({ id, model: "m", backend: "ai-sdk", cwd });
  await session.append({ role: "user", text: `about ${id}\u001b[31m` });
  await session.append({ role: "assistant", parts: [{ type: "call", toolId: "1", tool: "read", input: {} }], model: "m" });
  await session.addResult({ toolId: "1", tool: "read", text: "line\n".repeat(50), isError: false });
  await session.end("end_turn");
  await session.close();
}

const ids = (stdout: string): string[] => JSON.parse(stdout).map(({ id }: { id: string }) => id);

describe("session list", () => {
  it("shows those of this folder, newest first, and all with --global", async () => {
    const other = join(here.home, "other");
    await mkdir(other);
    await store("first");
    await store("second");
    await store("elsewhere", other);
    expect(ids((await here.run(["session", "list", "--json"])).stdout)).toEqual(["second", "first"]);
    expect(ids((await here.run(["session", "list", "--cwd", other, "--json"])).stdout)).toEqual(["elsewhere"]);
    expect(ids((await here.run(["session", "list", "--global", "--json"])).stdout).toSorted()).toEqual(["elsewhere", "first", "second"]);
    const { code, stdout } = await here.run(["session", "list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^second +\d{4}-\d\d-\d\d \d\d:\d\d +end_turn +about second\\u\{1b\}\[31m\nfirst /);
  });

  it("says that there are none", async () => {
    expect(await here.run(["session", "list"])).toMatchObject({ code: 0, stdout: "" });
    expect(await here.run(["session", "list", "--json"])).toMatchObject({ code: 0, stdout: "[]\n" });
  });
});

describe("session show and export", () => {
  it("find a session by the beginning of its id", async () => {
    await store("abc");
    await store("abd");
    const shown = await here.run(["session", "show", "abc"]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("[41 more lines]");
    const whole = await here.run(["session", "export", "abd"]);
    expect(whole.stdout.match(/^line$/gm)).toHaveLength(50);
    expect(whole.stdout).not.toContain("\u001b");
    expect(jsonOf((await here.run(["session", "export", "abd", "--json"])).stdout)).toMatchObject({ id: "abd", ended: "end_turn" });
    expect((await here.run(["session", "show", "ab"])).code).toBe(2);
  });

  it("exit with 4 for one that is not there, whatever the id", async () => {
    await writeFile(join(here.home, "outside.jsonl"), "{}\n");
    for (const command of ["show", "export", "delete"]) {
      for (const id of ["nowhere", "../outside", ""]) expect((await here.run(["session", command, id])).code, `${command} ${id}`).toBe(4);
    }
    expect(jsonOf((await here.run(["session", "show", "nowhere", "--json"])).stdout).error?.code).toBe("no_session");
  });
});

describe("session delete", () => {
  it("needs --force where nobody can be asked", async () => {
    await store("abc");
    expect((await here.run(["session", "delete", "abc"])).code).toBe(2);
    expect(await sessions.list()).toHaveLength(1);
    expect(await here.run(["session", "delete", "ab", "--force", "--json"])).toMatchObject({ code: 0, stdout: '{"deleted":"abc"}\n' });
    expect(existsSync(join(here.home, "state/sessions/abc.jsonl"))).toBe(false);
  });

  it.runIf(pseudoTerminal)("asks on a terminal, and takes no for no", { timeout: 60_000 }, async () => {
    await store("abc");
    const DOWN = "\u001b[B";
    for (const [keys, code, left] of [
      [["\r"], 5, 1],
      [[DOWN, "\r"], 0, 0],
    ] as const) {
      const child = spawn("script", ["-qfec", `stty rows 40 cols 120; '${process.execPath}' '${entry}' session delete abc`, "/dev/null"], {
        cwd: here.folder,
        env: { ...here.env, TERM: "xterm" },
      });
      let screen = "";
      let asked = false;
      child.stdout.on("data", (bytes: Buffer) => {
        screen += bytes.toString("utf8");
        if (asked || !screen.includes("Yes, it cannot be brought back")) return;
        asked = true;
        // Keys that come before the question is there are dropped.
        for (const [i, key] of keys.entries()) setTimeout(() => child.stdin.write(key), 400 + i * 100);
      });
      expect((await ended(child)).code, screen).toBe(code);
      expect(screen).toContain('Delete "about abc\\u{1b}[31m"');
      expect(await sessions.list()).toHaveLength(left);
    }
  });

  it("exits with 4 for one that is in use", async () => {
    await store("abc");
    const session = await sessions.open("abc");
    const { code, stdout } = await here.run(["session", "delete", "abc", "--force", "--json"]);
    expect(code).toBe(4);
    expect(jsonOf(stdout).error?.code).toBe("session_locked");
    await session.close();
  });
});

describe("session", () => {
  it("says which commands it has", async () => {
    for (const words of [["session"], ["session", "shwo"]]) expect((await here.run(words)).code).toBe(2);
    expect((await here.run(["session", "shwo"])).stderr).toContain("show");
  });
});
