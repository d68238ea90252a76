import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { isSecret, readDefaults } from "../../../core/permission/read-defaults.ts";

describe("isSecret()", () => {
  it.each([
    "/p/.env",
    "/p/packages/api/.env.local",
    "/p/prod.env",
    "/p/.env~",
    "/home/a/.ssh/id_ed25519",
    "/home/a/.ssh/config",
    "/home/a/.ssh",
    "/home/a/.aws/credentials",
    "/home/a/.gnupg/private-keys-v1.d/x",
    "/p/certs/server.key",
    "/p/server.pem",
    "/p/.npmrc",
    "/home/a/.netrc",
    "/home/a/.pypirc",
    "/home/a/.kube/config",
    "/home/a/.docker/config.json",
    "/home/a/.codex/auth.json",
    "/home/a/.claude/.credentials.json",
    "/proc/12/environ",
    "/proc/12/task/12/environ",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/shadow-/environ",
    "/p/SERVER.PEM",
    "/p/AuthKey.p8",
    "/home/a/.bash_history",
    "/home/a/.config/chromium/Default/Login Data",
    "/home/a/.config/rclone/rclone.conf",
    "/p/terraform.tfstate",
  ])("is so of %s", (path) => expect(isSecret(path)).toBe(true));

  it.each(["/p/env", "/p/.environment", "/p/src/env.ts", "/p/keys.ts", "/p/.ssh-notes", "/p/docker/config.json", "/p/key", "/etc/passwd", "/"])(
    "is not so of %s",
    (path) => expect(isSecret(path)).toBe(false),
  );
});

describe("readDefaults()", () => {
  const rules = (project: string, named: string[] = [], own: string[] = []) =>
    readDefaults({ project, named, hasDefault: (tool) => own.includes(tool) });

  it("allows the project and what the host named, to tools that read, in the layer of the host", () => {
    const allows = rules("/p", ["/s/a.txt"]).filter(({ effect }) => effect === "allow");
    expect(allows.map(({ tool, pattern }) => `${tool} ${pattern}`)).toEqual(
      ["read", "list", "glob", "grep", "index"].flatMap((tool) => [`${tool} /p/**`, `${tool} /s/a.txt`]),
    );
    expect(new Set(rules("/p").map(({ layer }) => layer))).toEqual(new Set(["builtin"]));
  });

  it("allows no folder that the user's home is in", () => {
    for (const project of [homedir(), "/"]) expect(rules(project).filter(({ effect }) => effect === "allow")).toEqual([]);
  });

  it("allows nothing to a tool that a person gave a default", () => {
    expect(rules("/p", [], ["read"]).filter(({ tool, effect }) => tool === "read" && effect === "allow")).toEqual([]);
    expect(rules("/p", [], ["read"]).filter(({ effect }) => effect === "allow")).toHaveLength(4);
  });
});
