import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it, vi } from "vitest";
import { childEnvironment } from "../../../../core/capabilities/run/child-environment.ts";
import { bench } from "../../../support/capabilities.ts";

afterEach(() => vi.unstubAllEnvs());

const host = {
  PATH: "/usr/bin",
  HOME: "/home/a",
  LANG: "de_DE.UTF-8",
  PWD: "/home/a",
  OLDPWD: "/",
  SSH_AUTH_SOCK: "/run/agent",
  TERM: "xterm",
  EDITOR: "vim",
  PAGER: "less",
  EXAMPLE_API_KEY: "secret",
  GH_TOKEN: "secret",
  AWS_ACCESS_KEY_ID: "secret",
  AWS_PROFILE: "secret",
  DATABASE_URL: "secret",
  PGPASSWORD: "secret",
  DEPLOY_KEY: "secret",
  CLIENT_SECRET: "secret",
  NODE_OPTIONS: "--inspect",
  NODE_TEST_CONTEXT: "child-v8",
  LD_LIBRARY_PATH: "/x",
  LD_PRELOAD: "/x.so",
  BASH_ENV: "/x.sh",
  "BASH_FUNC_git%%": "() { :; }",
};

describe("childEnvironment()", () => {
  it("keeps what programs need, without secrets and what is about the host", () => {
    const child = childEnvironment(host, { passSecrets: [], set: {}, marker: "m" });
    expect(child).toMatchObject({
      PATH: "/usr/bin",
      HOME: "/home/a",
      LANG: "de_DE.UTF-8",
      PWD: "/home/a",
      OLDPWD: "/",
      SSH_AUTH_SOCK: "/run/agent",
      TERM: "xterm",
    });
    expect(Object.values(child)).not.toContain("secret");
    for (const name of ["NODE_OPTIONS", "NODE_TEST_CONTEXT", "LD_LIBRARY_PATH", "LD_PRELOAD", "BASH_ENV", "BASH_FUNC_git%%"])
      expect(child).not.toHaveProperty([name]);
  });

  it("asks nobody anything", () => {
    const child = childEnvironment(host, { passSecrets: [], set: {}, marker: "m" });
    expect(child).toMatchObject({
      EDITOR: "true",
      GIT_EDITOR: "true",
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      DEBIAN_FRONTEND: "noninteractive",
    });
    expect(childEnvironment(host, { passSecrets: [], set: { PAGER: "head" }, marker: "m" }).PAGER).toBe("head");
  });

  it("passes on what the user lists, by name", () => {
    const child = childEnvironment(host, { passSecrets: ["GH_TOKEN", "LD_LIBRARY_PATH"], set: {}, marker: "m" });
    expect(child).toMatchObject({ GH_TOKEN: "secret", LD_LIBRARY_PATH: "/x" });
    expect(child).not.toHaveProperty("EXAMPLE_API_KEY");
  });

  it("marks the processes of a job, within those of an outer one", () => {
    expect(childEnvironment({}, { passSecrets: [], set: { MORTISE_JOB: "x" }, marker: "m" }).MORTISE_JOB).toBe("m");
    expect(childEnvironment({ MORTISE_JOB: "outer" }, { passSecrets: [], set: {}, marker: "m" }).MORTISE_JOB).toBe("outer:m");
  });
});

describe("run.exec", () => {
  it("gives programs that environment", async () => {
    vi.stubEnv("EXAMPLE_API_KEY", "secret");
    vi.stubEnv("GH_TOKEN", "secret");
    vi.stubEnv("LISTED_TOKEN", "listed");
    vi.stubEnv("NODE_OPTIONS", "--no-warnings");
    vi.stubEnv("LANG", "de_DE.UTF-8");
    const b = await bench({ passSecrets: ["LISTED_TOKEN"] });
    try {
      const { text } = (await b.call("run.exec", { argv: ["env"], env: { MINE: "1", MY_TOKEN: "mine" } })) as { text: string };
      const lines = text.split("\n");
      for (const line of [
        `PATH=${process.env.PATH}`,
        `HOME=${process.env.HOME}`,
        "LANG=de_DE.UTF-8",
        "LISTED_TOKEN=listed",
        "MINE=1",
        "MY_TOKEN=mine",
      ])
        expect(lines).toContain(line);
      expect(text).not.toContain("=secret");
      expect(text).not.toContain("NODE_OPTIONS");
    } finally {
      await b.close();
    }
  });

  it("ends at once what would open an editor, a pager or ask for a password", async () => {
    const b = await bench();
    try {
      const git = (...args: string[]) => execFileSync("git", ["-C", b.folder, "-c", "user.name=a", "-c", "user.email=a@example.invalid", ...args]);
      git("init", "-q");
      git("config", "user.name", "a");
      git("config", "user.email", "a@example.invalid");
      git("config", "core.pager", "less -+F");
      git("commit", "-q", "--allow-empty", "-m", "one");
      git("commit", "-q", "--allow-empty", "-m", "two");
      const run = async (...argv: string[]) =>
        (await b.call("run.exec", { argv, timeoutMs: 20_000 })) as { text: string; ended: string; exitCode: number };
      expect(await run("git", "commit", "--allow-empty")).toMatchObject({ ended: "exit", exitCode: 1 });
      expect(await run("git", "rebase", "-i", "HEAD~1")).toMatchObject({ ended: "exit", exitCode: 0 });
      expect(await run("git", "--paginate", "log", "--format=%s")).toMatchObject({ ended: "exit", exitCode: 0, text: "two\none\n" });
      expect(await run("git", "fetch", "https://example.invalid/private.git")).toMatchObject({ ended: "exit", exitCode: 128 });
    } finally {
      await b.close();
    }
  });
});
