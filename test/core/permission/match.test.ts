import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalPath } from "../../../core/capabilities/fs/canonical-path.ts";
import { createFiles } from "../../../core/permission/files.ts";
import { type Match, match, reaches } from "../../../core/permission/match.ts";
import { readPattern } from "../../../core/permission/pattern.ts";
import type { Effect, Rule, Scope } from "../../../core/permission/permission.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-match-")));
const P = join(root, "project");

beforeAll(() => {
  for (const folder of ["project/src/a", "project/real", "real", "out", "project2"]) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync("../real", join(P, "link"));
  symlinkSync("../out", join(P, "esc"));
  symlinkSync("../missing", join(P, "dangle"));
});
afterAll(() => rmSync(root, { recursive: true }));

const rule = (pattern: string | undefined, effect: Effect): Rule => ({
  tool: "t",
  effect,
  layer: "user",
  from: "",
  ...(pattern === undefined ? {} : { pattern }),
});

async function judge(pattern: string | undefined, effect: Effect, scope: Scope): Promise<Match> {
  return match(readPattern(rule(pattern, effect)), scope, createFiles(P));
}

/** Words apart by one blank; one in `<>` is known only when bash runs. */
function command(text: string, source = text): Scope {
  const argv = text.split(" ").map((word) => (/^<.*>$/.test(word) ? { text: word.slice(1, -1), static: false } : { text: word, static: true }));
  return { kind: "command", text: source.replace(/[<>]/g, ""), argv, cwd: P };
}

describe("match() of commands", () => {
  const rows: [pattern: string, command: string, allow: Match, deny: Match][] = [
    ["*", "rm -rf /", "yes", "yes"],
    ["**", "rm -rf /", "yes", "yes"],
    ["cargo *", "cargo", "yes", "yes"],
    ["cargo *", "cargo test", "yes", "yes"],
    ["cargo *", "cargofoo", "no", "no"],
    ["cargo *", "Cargo test", "no", "no"],
    ["cargo test *", "cargo test", "yes", "yes"],
    ["cargo test *", "cargo test -p x", "yes", "yes"],
    ["cargo test *", "cargo testx", "no", "no"],
    ["cargo  test *", "cargo test", "yes", "yes"],
    ["git push", "git push", "yes", "yes"],
    ["git push", "git push origin", "no", "no"],
    ["git push*", "git push", "yes", "yes"],
    ["git push*", "git pushx", "yes", "yes"],
    ["git push*", "git push origin", "yes", "yes"],
    ["git*", "gitk", "yes", "yes"],
    ["git *", "git", "yes", "yes"],
    ["git *", "git-evil push", "no", "no"],
    ["git *", "./git status", "no", "yes"],
    ["git*", "git/../evil", "no", "yes"],
    ["rm *", "rmdir x", "no", "no"],
    ["rm *", "/bin/rm x", "no", "yes"],
    ["/bin/rm *", "rm x", "no", "yes"],
    ["* --version", "cargo --version", "no", "yes"],
    ["git * --force", "git push --force", "yes", "yes"],
    ["git push **", "git push x", "yes", "yes"],
    ["npm run build:*", "npm run build:prod", "yes", "yes"],
    ["npm run build:*", "npm run build", "no", "no"],
    ["./x.sh *", "./x.sh", "yes", "yes"],
    ["./x.sh *", "x.sh", "no", "yes"],
    ["/**", "git status", "no", "no"],
    ["src/**", "git status", "no", "no"],
    ["git push *", "git <$X> push", "no", "maybe"],
    ["git push *", "git push <$X>", "yes", "yes"],
    ["git push *", "git add <$X>", "no", "no"],
    ["git push", "git push <$X>", "no", "maybe"],
    ["git *", "<$X> status", "no", "maybe"],
    ["rm -rf *", "rm <*>", "no", "maybe"],
    ["git * --force", "git push origin --force", "yes", "yes"],
    ["git * --force", "git --force", "yes", "yes"],
    ["git * --force", "git push --force origin", "no", "no"],
    ["git * --force *", "git push --force origin", "yes", "yes"],
    ["git * push *", "git -C a push b", "yes", "yes"],
    ["* push", "git push", "no", "yes"],
    ["git push* origin", "git push-x origin", "yes", "yes"],
    ["git push* origin", "git pull origin", "no", "no"],
    ["rm -rf *", "rm -fr x", "no", "yes"],
    ["rm -rf *", "rm -r -f x", "no", "yes"],
    ["rm -rf *", "rm x -rf", "no", "yes"],
    ["rm -rf *", "rm -r x", "no", "no"],
    ["rm -rf *", "rm -- -rf", "no", "no"],
    ["rm -rf", "rm -fr", "no", "no"],
    ["git push --force *", "git push origin --force", "no", "yes"],
    ["git push --force *", "git push --force=x y", "no", "yes"],
    ["git push --force *", "git push origin --forc", "no", "yes"],
    ["git push --force *", "git push origin", "no", "no"],
    ["git push --force *", "git pull --force", "no", "no"],
  ];
  it.each(rows)("%s on `%s`: %s to allow, %s to deny", async (pattern, text, allow, deny) => {
    expect([await judge(pattern, "allow", command(text)), await judge(pattern, "deny", command(text))]).toEqual([allow, deny]);
  });

  it("knows a subcommand whatever stands before it", async () => {
    const argv = ["git", "-C", "a", "push", "--force"].map((text) => ({ text, static: true }));
    const scope: Scope = { kind: "command", text: "git -C a push --force", argv, subject: argv.filter((_, at) => at !== 1 && at !== 2) };
    expect([await judge("git push *", "allow", scope), await judge("git push *", "deny", scope), await judge("git -C *", "allow", scope)]).toEqual([
      "yes",
      "yes",
      "yes",
    ]);
  });

  it("covers what a wrapper runs by a rule for the wrapper that names it too", async () => {
    const outer = ["timeout", "5", "npm", "test"].map((text) => ({ text, static: true }));
    const scope: Scope = { kind: "command", text: "npm test", argv: outer.slice(2), within: [{ argv: outer, from: 2 }] };
    const judged = await Promise.all(
      ["timeout 5 npm *", "timeout 5 npm test", "timeout 5 *", "timeout *", "timeout * npm *", "timeout 5 npm publish *"].map((each) =>
        judge(each, "allow", scope),
      ),
    );
    expect(judged).toEqual(["yes", "yes", "no", "no", "no", "no"]);
  });

  it("tries what a word is known to be, for rules that deny alone", async () => {
    const push = { text: "$x", static: false, values: ["push", "pull"] };
    const scope: Scope = { kind: "command", text: "git $x", argv: [{ text: "git", static: true }, push] };
    expect([await judge("git push", "allow", scope), await judge("git push", "deny", scope), await judge("git add", "deny", scope)]).toEqual([
      "no",
      "yes",
      "no",
    ]);
  });

  it("ends soon, whatever stars are in a pattern", async () => {
    const scope = command(`x ${"a ".repeat(2_000)}b`);
    expect(await judge(`x ${"* a ".repeat(12)}* c`, "allow", scope)).toBe("no");
    expect(await judge(`x ${"* a ".repeat(12)}* c`, "deny", scope)).not.toBe("yes");
  });

  it("takes a word with blanks in it for one word", async () => {
    const scope: Scope = { kind: "command", text: "rm 'a b'", argv: ["rm", "a b"].map((text) => ({ text, static: true })) };
    expect(await judge("rm a b", "allow", scope)).toBe("no");
    expect(await judge("rm 'a b'", "allow", scope)).toBe("yes");
    expect(await judge("rm a b", "deny", scope)).toBe("yes");
  });

  it("takes a star that a person wrote in a command for no pattern of its own", async () => {
    const scope = command("grep -n a secret b a.txt");
    expect(await judge('grep -n "a.*b" a.txt', "allow", scope)).toBe("no");
  });

  it("denies text that begins like the pattern, whatever follows", async () => {
    const scope: Scope = { kind: "command", text: "rm -rf x; sudo y" };
    expect(await judge("rm *", "deny", scope)).toBe("yes");
    expect(await judge("rm *", "allow", scope)).toBe("no");
  });

  it("matches everything of a tool where the rule has no pattern", async () => {
    expect(await judge(undefined, "allow", command("rm x"))).toBe("yes");
    expect(await judge(undefined, "deny", { kind: "other", text: "{}" })).toBe("yes");
  });

  const secret: [command: string, deny: Match][] = [
    ["cat ~/.ssh/id", "yes"],
    [`cat ${homedir()}/.ssh/id`, "yes"],
    [`cat ${homedir()}/x/../.ssh/id`, "yes"],
    ["dd if=~/.ssh/id", "yes"],
    ["cat <$HOME/.ssh/id>", "yes"],
    ["cat <~/.ss[h]/id>", "maybe"],
    ["cat <~/*/id>", "maybe"],
    ["cd ~", "maybe"],
    ["cat <$X>", "no"],
    ["cat a.txt", "no"],
    ["cat <*.txt>", "no"],
  ];
  it.each(secret)("tries a path to deny on the words of `%s`: %s", async (text, deny) => {
    expect(await judge("~/.ssh/**", "deny", command(text))).toBe(deny);
    expect(await judge("~/.ssh/**", "allow", command(text))).toBe("no");
  });
});

describe("match() of paths", () => {
  const rows: [pattern: string, path: string, expected: boolean][] = [
    ["*", "/etc/passwd", true],
    ["/**", "/etc/passwd", true],
    ["/", "/", true],
    ["/", "/etc", false],
    ["src/**", "src/main.rs", true],
    ["src/**", "P/src/main.rs", true],
    ["src/**", "src", true],
    ["src/**", "srcfoo", false],
    ["src/**", "other/src/a", false],
    ["src/**", "src/../etc", false],
    ["src/**", "src/a/../../x", false],
    ["P/**", "P/new/dir/f", true],
    ["P/**", "P", true],
    ["P/**", "P2/f", false],
    ["P/**", "rel.txt", true],
    ["P/**", "/etc/passwd", false],
    ["P/**", "P/../out/f", false],
    ["P/**", "P/link/f", false],
    ["P/link/**", "P/../real/f", true],
    ["P/../real/**", "P/link/f", true],
    ["P/**", "P/link/../x", false],
    ["P/**", "P/esc/../project/x", true],
    ["P/**", "P/dangle", false],
    ["P/**", "P/dangle/x", false],
    ["P/src/*", "P/src/a/b", true],
    ["P/src/*", "P/src/../x", false],
    ["P/src/*", "P/src", false],
    ["P/src/ma*", "P/src/main.rs", true],
    ["P/src/ma*", "P/src/other.rs", false],
    ["P/a.txt", "P/a.txt", true],
    ["P/a.txt", "a.txt", true],
    ["P/a.txt", "P/./a.txt", true],
    ["**/*.rs", "src/a.rs", true],
    ["*.rs", "a.rs", true],
    ["*.rs", "src/a.rs", false],
    ["dist/**", "P/dist/x", true],
    ["~/x/**", "~/x/f", true],
    ["git *", "git ", false],
  ];
  it.each(rows)("%s on %s: %s", async (pattern, path, expected) => {
    const absolute = (text: string) => text.replace(/^P(?=\/|$|2)/, P);
    const scope: Scope = { kind: "path", text: await canonicalPath(absolute(path), P), access: "write" };
    expect(await judge(absolute(pattern), "allow", scope)).toBe(expected ? "yes" : "no");
    expect(await judge(absolute(pattern), "deny", scope)).toBe(expected ? "yes" : "no");
  });

  it.each<[pattern: string, path: string, allow: boolean, deny: boolean]>([
    ["src/", "P/src/a.ts", false, true],
    ["src/", "P/src", true, true],
    ["src/", "P/srcx", false, false],
    ["src", "P/src/a.ts", false, false],
    ["/", "/etc", false, false],
    ["src/{a,b}.ts", "P/src/a.ts", false, true],
    ["src/{a,b}.ts", "P/src/{a,b}.ts", true, true],
    ["{src,lib}/**", "P/src/x/y", false, true],
    ["{src,lib}/*", "P/lib/x/y", false, true],
    ["src/[ab]*", "P/src/able/x", false, true],
    ["src/[ab]/", "P/src/a/x", false, true],
    ["src/?.ts", "P/src/a.ts", false, true],
    ["app/[id]/**", "P/app/[id]/x", true, true],
    ["app/[id]/*.tsx", "P/app/[id]/page.tsx", true, true],
    ["app/[id]/*.tsx", "P/app/[slug]/page.tsx", false, false],
  ])("%s on %s allows: %s, denies: %s", async (pattern, path, allow, deny) => {
    const scope: Scope = { kind: "path", text: path.replace(/^P(?=\/)/, P), access: "write" };
    expect(await judge(pattern, "allow", scope)).toBe(allow ? "yes" : "no");
    expect(await judge(pattern, "deny", scope)).toBe(deny ? "yes" : "no");
  });

  it("takes a star in the project's own name for no pattern", () => {
    const files = createFiles(join(root, "a*b"));
    const matches = (path: string) =>
      match(readPattern(rule(`${join(root, "a*b")}/**`, "allow")), { kind: "path", text: join(root, path), access: "read" }, files);
    expect(["a*b/x", "aXb/x"].map(matches)).toEqual(["yes", "no"]);
  });

  it("does not take the text of a command for a file that a redirect writes", async () => {
    const scope: Scope = { kind: "path", text: join(P, "x.sh"), access: "write", shell: true };
    for (const pattern of ["./x.sh", "./x*"]) expect(await judge(pattern, "allow", scope)).toBe("no");
    for (const pattern of ["./x.sh", "./x*"]) expect(await judge(pattern, "deny", scope)).toBe("yes");
    expect(await judge("./**", "allow", scope)).toBe("yes");
  });
});

describe("match() of paths on a file system that takes cases for one", () => {
  const files = (ignoresCase: boolean) => createFiles(P, { ignoresCase });
  it("takes paths that differ in case for one, and elsewhere for two", () => {
    const scope: Scope = { kind: "path", text: join(P, "SRC/Main.rs"), access: "write" };
    for (const pattern of ["src/**", "src/main.rs", "src/ma*", `${P}/Src/*`]) {
      for (const effect of ["allow", "deny"] as const) {
        expect(match(readPattern(rule(pattern, effect)), scope, files(true)), pattern).toBe("yes");
        expect(match(readPattern(rule(pattern, effect)), scope, files(false)), pattern).toBe("no");
      }
    }
  });

  it("takes letters for one that are spelled in two ways", () => {
    const scope: Scope = { kind: "path", text: join(P, "e\u0301"), access: "write" };
    expect(match(readPattern(rule("\u00e9", "deny")), scope, files(true))).toBe("yes");
  });

  it("knows the home by its variable", () => {
    const scope: Scope = { kind: "path", text: join(homedir(), ".ssh/id"), access: "read" };
    for (const pattern of ["$HOME/.ssh/**", "${HOME}/.ssh/*", "~/.ssh/id"])
      expect(match(readPattern(rule(pattern, "deny")), scope, files(false))).toBe("yes");
  });

  it("may be about what lies below a folder of which no more is known", () => {
    const scope: Scope = { kind: "path", text: join(P, "src"), access: "write", below: true, shell: true };
    const judged = (pattern: string, effect: Effect) => match(readPattern(rule(pattern, effect)), scope, files(false));
    expect([
      judged("src/**", "allow"),
      judged("src/*", "allow"),
      judged("src/a/**", "allow"),
      judged("src/a/**", "deny"),
      judged("other/**", "deny"),
    ]).toEqual(["yes", "yes", "no", "maybe", "no"]);
  });

  it("covers what is not known by a star alone", () => {
    const scope: Scope = { kind: "path", text: "$f", access: "write", unknown: true, shell: true };
    for (const pattern of ["/**", "./**", "$f"]) expect(match(readPattern(rule(pattern, "allow")), scope, files(false))).toBe("no");
    expect(match(readPattern(rule("*", "allow")), scope, files(false))).toBe("yes");
  });
});

describe("match() of URLs", () => {
  const rows: [pattern: string, url: string, expected: boolean][] = [
    ["https://h.com/*", "https://h.com/a", true],
    ["https://h.com*", "https://h.com/a", true],
    ["https://h.com*", "https://h.com.evil.org/", false],
    ["https://h.com*", "https://h.com@evil.org/", false],
    ["https://h.com/**", "https://h.com/a", true],
    ["https://h.com/**", "https://evil.org/../h.com/a", false],
    ["https://h.com/a/**", "https://h.com/a/../b", false],
    ["https://h.com/a/**", "https://h.com/a", true],
    ["https://h.com/a/**", "https://h.com/ab", false],
    ["https://h.com/a", "https://h.com/a", true],
    ["https://h.com/a", "https://h.com/a/b", false],
    ["https://h.com/a?x=*", "https://h.com/a?y=1", false],
    ["https://*", "http://a/", false],
    ["https://*", "https://a/", true],
    ["https://h.com:8080/*", "https://h.com/a", false],
  ];
  it.each(rows)("%s on %s: %s", async (pattern, url, expected) => {
    expect(await judge(pattern, "allow", { kind: "url", text: url })).toBe(expected ? "yes" : "no");
    expect(await judge(pattern, "deny", { kind: "url", text: url })).toBe(expected ? "yes" : "no");
  });

  const spelled: [pattern: string, url: string, allow: boolean, deny: boolean][] = [
    ["https://h.com/secret/*", "https://h.com/%73ecret/x", false, true],
    ["https://h.com/secret/*", "https://h.com//secret/x", false, true],
    ["https://h.com/secret/*", "https://h.com/a/..%2fsecret/x", false, true],
    ["https://h.com/a/*", "https://h.com/a/..%2fsecret/x", false, true],
    ["https://h.com/a/*", "https://h.com/a/x%20y", true, true],
    ["https://h.com/*", "https://h.com/@scope%2fname", true, true],
    ["https://h.com/a", "https://h.com/a/", false, true],
    ["https://h.com/*", "http://h.com/x", false, true],
    ["http://h.com/*", "https://h.com/x", false, false],
    ["https://h.com/*", "https://h.com./x", false, true],
    ["https://h.com", "https://h.com/x", false, true],
    ["https://h.com", "https://h.com.evil.org/", false, false],
    ["https://*.h.com/*", "https://api.h.com/x", true, true],
    ["https://*.h.com/*", "https://a.b.h.com/x", true, true],
    ["https://*.h.com/*", "https://h.com/x", false, false],
    ["https://*.h.com/*", "https://evilh.com/x", false, false],
    ["https://*.h.com/*", "https://x.h.com.evil.org/", false, false],
    ["https://h.com/*/admin", "https://h.com/a/admin", false, true],
    ["https://h.com/*/admin", "https://h.com/a/other", false, false],
    ["*://h.com/*", "http://h.com/x", false, true],
    ["h.com", "https://h.com/x", false, true],
    ["h.com/a/*", "https://h.com/a/x", false, true],
    ["*.h.com", "https://x.h.com/y", false, true],
    ["http*", "https://h.com/", false, true],
    ["data:*", "data:text/html,x", true, true],
    ["file:///etc/*", "file:///tmp/../etc/passwd", true, true],
    ["file:///etc/*", "file:///tmp/x", false, false],
  ];
  it.each(spelled)("%s on %s allows: %s, denies: %s", async (pattern, url, allow, deny) => {
    expect(await judge(pattern, "allow", { kind: "url", text: url })).toBe(allow ? "yes" : "no");
    expect(await judge(pattern, "deny", { kind: "url", text: url })).toBe(deny ? "yes" : "no");
  });

  it("ends soon, whatever the pattern", async () => {
    const [pattern, url] = [`https://h.com/${"*a".repeat(20_000)}`, `https://h.com/${"a".repeat(50_000)}b`];
    expect(await judge(pattern, "deny", { kind: "url", text: url })).toBe("no");
  });
});

describe("match() of other scopes", () => {
  it("takes only the whole text, or everything", async () => {
    const code: Scope = { kind: "code", text: "print(1)" };
    expect(await judge("python3 *", "allow", code)).toBe("no");
    expect(await judge("print*", "allow", code)).toBe("no");
    expect(await judge("print*", "deny", code)).toBe("yes");
    expect(await judge("print(1)", "allow", code)).toBe("yes");
    expect(await judge("*", "allow", code)).toBe("yes");
  });
});

describe("reaches()", () => {
  it.each([
    ["bash", "bash", true],
    ["bash", "bash2", false],
    ["*", "bash", true],
    ["github__*", "github__search", true],
    ["github__*", "gitlab__search", false],
  ])("%s to %s: %s", (ruleTool, tool, expected) => {
    expect(reaches(ruleTool, tool)).toBe(expected);
  });
});
