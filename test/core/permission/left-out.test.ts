import { describe, expect, it } from "vitest";
import { createGlob } from "../../../core/capabilities/fs/glob.ts";
import { leftOut } from "../../../core/permission/left-out.ts";
import type { Rule } from "../../../core/permission/permission.ts";
import { isSecret, readDefaults, secretNames } from "../../../core/permission/read-defaults.ts";

const project = "/p";
const defaults = readDefaults({ project, named: [], hasDefault: () => false });
const rule = (tool: string, effect: Rule["effect"], pattern?: string): Rule => ({
  tool,
  effect,
  layer: "user",
  from: "test",
  ...(pattern === undefined ? {} : { pattern }),
});
const said = (path: string, rules: Rule[], { tool = "grep", folder = project }: { tool?: string | null; folder?: string } = {}) =>
  leftOut({ tool, rules: [...rules, ...defaults], folder, project, isProtected: (each) => each.startsWith("/p/.state") })(path);

describe("leftOut()", () => {
  it("leaves out secrets, and nothing else by itself", () => {
    for (const path of ["/p/.env", "/p/a/.env.local", "/p/x/.ssh/config", "/p/key.pem", "/p/.aws/credentials"]) expect(said(path, [])).toBe("asked");
    for (const path of ["/p/a.ts", "/p/env", "/p/.envx", "/p/sub/ssh"]) expect(said(path, [])).toBeUndefined();
    expect(said("/p/.env", [], { tool: null })).toBe("asked");
  });

  it("leaves out what a rule denies, to the tool, to all tools or to read", () => {
    for (const tool of ["grep", "*", "read"]) {
      expect(said("/p/private/a.ts", [rule(tool, "deny", "private/**")])).toBe("denied");
      expect(said("/p/a.ts", [rule(tool, "deny", "private/**")])).toBeUndefined();
      expect(said("/p/private/a.ts", [rule(tool, "ask", "private/**")])).toBe("asked");
    }
    expect(said("/p/private/a.ts", [rule("bash", "deny", "private/**")])).toBeUndefined();
    expect(said("/p/.env", [rule("grep", "allow", "/p/**"), rule("read", "deny", "**/.env")])).toBe("denied");
  });

  it("searches what a rule allows the tool to read", () => {
    expect(said("/p/.env", [rule("grep", "allow", "/p/.env")])).toBeUndefined();
    expect(said("/p/.env", [rule("read", "allow", "/p/.env")])).toBe("asked");
  });

  it("leaves out what is protected, unless its folder is named", () => {
    expect(said("/p/.state/sessions/x", [rule("grep", "allow", "/p/**")])).toBe("asked");
    expect(said("/p/.state/sessions/x", [], { folder: "/p/.state" })).toBeUndefined();
  });

  it("takes an answer about the folder for one about what is in it", () => {
    expect(said("/home/a/.ssh/config", [], { folder: "/home/a/.ssh" })).toBeUndefined();
    expect(said("/home/a/.ssh/.env", [], { folder: "/home/a/.ssh" })).toBe("asked");
    expect(said("/home/a/.ssh/config", [], { folder: "/home/a" })).toBe("asked");
    expect(said("/p/private/a", [rule("grep", "ask", "private/**")], { folder: "/p/private" })).toBeUndefined();
    expect(said("/p/a", [rule("grep", "ask")])).toBeUndefined();
  });
});

describe("secretNames", () => {
  it("are fitted by every file that is secret, from whatever folder a search begins", () => {
    const globs = secretNames.map(createGlob);
    const paths = [
      "/h/.env",
      "/h/.env.x",
      "/h/.ssh/a/b",
      "/h/.config/gh/hosts.yml",
      "/h/.config/gcloud/a/b",
      "/etc/shadow-",
      "/etc/ssl/private/x",
      "/h/a.pem",
    ];
    for (const path of paths) {
      expect(isSecret(path)).toBe(true);
      const parts = path.split("/").slice(1);
      for (let from = 0; from < parts.length; from++) {
        const folder = `/${parts.slice(0, from).join("/")}`;
        if (isSecret(folder)) break;
        expect({ path, folder, fits: globs.some((fits) => fits(parts.slice(from).join("/"))) }).toEqual({ path, folder, fits: true });
      }
    }
  });
});
