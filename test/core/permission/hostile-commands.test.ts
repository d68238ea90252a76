import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Rule } from "../../../core/permission/permission.ts";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const project = realpathSync(mkdtempSync(join(tmpdir(), "mortise-hostile-")));
const syntax = createSyntax();
const rules: Rule[] = [
  ["allow", "*"],
  ["ask", "git push *"],
  ["deny", "rm *"],
  ["deny", "~/.ssh/**"],
].map(([effect, pattern]) => ({ tool: "bash", effect: effect as Rule["effect"], pattern: pattern!, layer: "user", from: "" }));
const permissions = createPermissions({
  syntax,
  project,
  folders: { config: join(project, "c"), cache: join(project, "h"), state: join(project, "s") },
  policy: () => ({ rules, yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
});
afterAll(async () => {
  await syntax.close();
  rmSync(project, { recursive: true });
});

async function decide(command: string): Promise<string> {
  const list = await permissions.scopesOf({ tool: "bash", input: { command }, declared: { scopes: [{ kind: "shell", command }] }, cwd: project });
  return (await permissions.evaluate({ tool: "bash", sessionId: "s", list })).kind;
}

/** The most that a decision may take, in milliseconds, on a machine that has other things to do. */
const ENDED_MS = 10_000;
const KB = 1_024;
/** Repeated to so many bytes. */
const times = (part: string, bytes = 60 * KB) => part.repeat(Math.floor(bytes / part.length));
const nested = (open: string, inner: string, close: string, bytes = 60 * KB) => {
  const depth = Math.floor((bytes - inner.length) / (open.length + close.length));
  return open.repeat(depth) + inner + close.repeat(depth);
};

describe("a command that is made to hang", () => {
  const rows: [what: string, command: string][] = [
    ["pipes", `a${times("|a")}`],
    ["lists", times("a;")],
    ["and, or", `a${times("&&a||a")}`],
    ["subshells", nested("(", "ls", ")")],
    ["groups", nested("{ ", "ls;", "};")],
    ["substitutions", nested("$(", "ls", ")")],
    ["substitutions in quotes", nested('"$(', "ls", ')"')],
    ["backquotes", times("`a`")],
    ["backquotes in each other", nested("`\\", "a", "`")],
    ["process substitutions", nested("cat <(", "ls", ")")],
    ["arithmetic", nested("$((1+", "1", "))")],
    ["parameters", nested("${a:-", "b", "}")],
    ["parameters in quotes", nested('"${a:-', "b", '}"')],
    ["conditions", nested("if a; then ", "ls", "; fi")],
    ["loops", nested("while a; do ", "ls", "; done")],
    ["cases", nested("case a in b) ", "ls", ";; esac")],
    ["tests", nested("[[ ! ( ", "a", " ) ]]")],
    ["functions", nested("f() { ", "ls", "; }")],
    ["negations", `${times("! ")}ls`],
    ["quotes that do not end", times("'")],
    ["double quotes that do not end", times('"\\')],
    ["open brackets of every kind", times("({[$((`\"'<<")],
    ["closed brackets of every kind", times(")}]))`")],
    ["heredocs", times("cat <<A\nx\nA\n")],
    ["heredocs on one line", `cat ${times("<<A ")}\n${times("A\n", 4 * KB)}`],
    ["heredocs that do not end", times("cat <<A\n")],
    ["here strings", `cat ${times("<<< a ")}`],
    ["redirects", `ls ${times("> a ")}`],
    ["descriptors", `ls ${times("2>&1 ")}`],
    ["assignments", times("a=b ")],
    ["braces", `echo ${nested("{a,", "b", "}")}`],
    ["braces beside each other", `echo ${times("{a,b}")}`],
    ["ranges", `echo ${times("{1..9999}")}`],
    ["globs", `echo ${times("*?[a]")}`],
    ["tildes", `echo ${times("~ ")}`],
    ["wrappers", `${times("env ")}ls`],
    ["wrappers with values", `${times("timeout 5 ")}ls`],
    ["shells in shells", `${times("bash -c ", 8 * KB)}ls`],
    ["text in text", nested("eval '", "ls", "'", 8 * KB)],
    ["one long word", times("a")],
    ["one long option", `ls --${times("a")}`],
    ["folders", times("cd a; ")],
    ["folders above", `cd ${times("../")}`],
    ["comments", times("# a\n")],
    ["continued lines", times("a \\\n")],
    ["blank lines", times("\n")],
    ["blanks", `ls${times(" ")}x`],
    ["carriage returns", times("ls\r\n")],
    ["escapes", times("\\")],
    ["ANSI quotes", `echo ${times("$'\\x41'")}`],
    ["letters of other scripts", times("é漢😀", 60 * KB).slice(0, 15_000)],
    ["marks of direction", times("ls \u202e")],
    ["NUL", times("a\0")],
    ["half a pair", times("a\ud800").slice(0, 15_000)],
  ];
  it.each(rows)("is decided: %s", { timeout: ENDED_MS }, async (_what, command) => {
    expect(["allow", "ask", "deny"]).toContain(await decide(command));
    // Whatever became of the parser, the next call is understood.
    expect(await decide("ls; rm x")).toBe("deny");
  });

  it.each([100 * KB, 1_024 * KB])("is asked about as a whole at %d bytes, unread", { timeout: ENDED_MS }, async (bytes) => {
    for (const command of [times("ls;", bytes), nested("(", "ls", ")", bytes), times("é", bytes)]) {
      expect(await decide(command)).toBe("ask");
    }
  });

  it("is still denied where the part that can be read says so", async () => {
    expect(await decide(`rm x; ${times("(", 1 * KB)}`)).not.toBe("allow");
    expect(await decide(`ls; ${times("(", 1 * KB)} rm x`)).not.toBe("allow");
  });
});

/** Pieces that bash gives a meaning to, and some that it does not. */
const PIECES = [
  ...["ls", "rm x", "git push", "echo", "a=b", "A", "x", " ", "  ", "\t", "\n", "\r", "\0", "\u202e", "é", "😀", "\ud800", "\\", "\\\n", "#", "!"],
  ...[
    "$a",
    "${a}",
    "${a:-b}",
    "${a@P}",
    "${!a}",
    "$IFS",
    "$(",
    ")",
    "(",
    "{ ",
    "}",
    "`",
    "'",
    '"',
    "$'",
    '$"',
    "((",
    "))",
    "$((1+",
    "[[ ",
    " ]]",
    "[ ",
    " ]",
  ],
  ...[
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "<",
    ">",
    ">>",
    ">&",
    "2>&1",
    "<<A",
    "<<-'A'",
    "<<<",
    "<(",
    ">(",
    "*",
    "?",
    "~",
    "/",
    "..",
    "{a,b}",
    "{1..3}",
  ],
  ...[
    "if ",
    "then ",
    "else ",
    "fi",
    "for i in ",
    "do ",
    "done",
    "case x in ",
    "esac",
    "while ",
    "until ",
    "function f ",
    "f() ",
    "coproc ",
    "time ",
    "select a in ",
  ],
  ...[
    "exec ",
    "eval ",
    "bash -c ",
    "env ",
    "sudo -u x ",
    "xargs ",
    "find . -exec ",
    "\\;",
    "timeout 5 ",
    "cd ",
    "export ",
    "trap ",
    "source ",
    "cat ",
    "sh",
  ],
];

describe("any text", () => {
  const seconds = Number(process.env.MORTISE_FUZZ_SECONDS ?? 8);
  const seed = Number(process.env.MORTISE_FUZZ_SEED ?? Date.now() % 2 ** 31);

  it("is decided, and leaves the parser able to understand the next", { timeout: seconds * 1_000 + ENDED_MS }, async () => {
    console.log(`MORTISE_FUZZ_SEED=${seed}`);
    const piece = fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
    );
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    const long = fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 60 * KB }))
      .map(([pieces, bytes]) => times(pieces.join("") || "a", bytes));
    const property = fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: long }), async (command) => {
      const started = performance.now();
      expect(["allow", "ask", "deny"]).toContain(await decide(command));
      expect(performance.now() - started).toBeLessThan(ENDED_MS);
      expect(await decide("ls; rm x")).toBe("deny");
    });
    await fc.assert(property, {
      seed,
      numRuns: 1_000_000,
      interruptAfterTimeLimit: seconds * 1_000,
      markInterruptAsFailure: false,
      endOnFailure: true,
    });
  });
});
