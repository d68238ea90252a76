import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const syntax = createSyntax();
afterAll(() => syntax.close());

/** Every command as one line: `~` before what needs no permission of its own, `<>` around words known only when bash runs. */
async function read(text: string): Promise<{ commands: string[]; forced: boolean; unparseable: boolean }> {
  const { commands, forcePrompt, unparseable } = await syntax.understand(text, "/p");
  return {
    commands: commands.map(
      ({ argv, passive, assignments, files, code }) =>
        (passive ? "~" : "") +
        [
          ...assignments.map(({ name, value }) => `${name}=${value.text}`),
          ...argv.map((word) => (word.static ? word.text : `<${word.text}>`)),
          ...files.filter(({ redirect }) => redirect).map(({ access, paths }) => `${access}:${paths}`),
          ...code.map((word) => `code:${word.text}`),
        ].join(" "),
    ),
    forced: forcePrompt,
    unparseable,
  };
}

describe("understand()", () => {
  it("knows the variables that lead to the user's settings and state, and takes none for known that is not set", async () => {
    vi.stubEnv("XDG_CONFIG_HOME", "/home/me/settings");
    vi.stubEnv("MORTISE_STATE_HOME", "/home/me/state");
    vi.stubEnv("MORTISE_CONFIG_HOME", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await read("echo a > $XDG_CONFIG_HOME/mortise/x")).commands).toEqual(["echo a write:/home/me/settings/mortise/x"]);
    expect((await read('D="${MORTISE_STATE_HOME}"; echo a > "$D/x"')).commands).toContain("echo a write:/home/me/state/x");
    expect((await read("echo a > $MORTISE_CONFIG_HOME/x")).commands).toEqual(["echo a write:undefined"]);
  });

  const plain: [text: string, ...commands: string[]][] = [
    ["git status", "git status"],
    ["a | b && c; d & e\nf", "a", "b", "c", "d", "e", "f"],
    ["git   push\t--force", "git push --force"],
    ["a \\\n  --flag", "a --flag"],
    ["cd x && make 2>&1", "cd x", "make"],
    ["echo a > b > c", "echo a write:/p/b write:/p/c"],
    ["> log", "write:/p/log"],
    ["npm >out.txt publish", "npm publish write:/p/out.txt"],
    ["rm>out -rf build 2>/dev/null", "rm -rf build write:/p/out"],
    ["cat < in", "cat read:/p/in"],
    ["{ a; b; } >> out", "write:/p/out", "a", "b"],
    ["X=1 Y='a b' rm x", "X=1 Y=a b rm x"],
    ["export A=1 B", "export A=1 B"],
    ["n''pm \"pub\"lish $'\\x61' \\b", "npm publish a b"],
    ['echo "$a" $b *.c {x,y} ~/z', "echo <$a> <$b> <*.c> <{x,y}> ~/z"],
    ["! grep x f", "grep x f"],
    ["if a; then b; elif c; then d; else e; fi", "a", "b", "c", "d", "e"],
    ["while a; do b; done < f", "read:/p/f", "a", "b"],
    ["for f in x y; do wc $f; done", "wc <$f>"],
    ["case $x in a) b ;; c) d ;; esac", "b", "d"],
    ["f() { rm x; }; f", "rm x", "f"],
    ["(cd x; ls)", "cd x", "ls"],
    ["[ -f a ] && [[ -d b ]]", "~[ -f a ]", "~[[ -d b ]]"],
    ["cat <<'X' > f\n$(rm x)\nX\nls", "cat write:/p/f", "ls"],
    ["cat <<X && rm x\nbody\nX", "cat", "rm x"],
    ["cat <<-X\n\tbody\n\tX\nls", "cat", "ls"],
    ["git commit -F - <<'X'\nadd `y`\nX", "git commit -F -"],
    ["git commit -m \"$(cat <<'X'\nadd `y`\nX\n)\"", "git commit -m <$(cat <<'X'\nadd `y`\nX\n)>", "cat"],
    ["timeout -k 1 5 npm x", "~timeout -k 1 5 npm x", "npm x"],
    ["env -u A B=1 npm x", "~env -u A B=1 npm x", "B=1 npm x"],
    ["stdbuf -oL nohup time -p ls", "~stdbuf -oL nohup time -p ls", "~nohup time -p ls", "~time -p ls", "ls"],
    ["time -p ls", "ls"],
    ["sudo -n -u nobody rm x", "sudo -n -u nobody rm x", "rm x"],
    ["xargs -n1 rm", "xargs -n1 rm", "rm <>"],
    ["find . -name a -exec grep x {} \\; -o -ok rm {} +", "find . -name a -exec grep x {} ; -o -ok rm {} +", "grep x <{}>", "rm <{}>"],
    ["command -v git", "command -v git"],
    ["echo $((1 + 2)); for ((i=0;i<3;i++)); do a; done", "echo <$((1 + 2))>", "a"],
    ["python3 -c 'print(1)'", "python3 -c print(1) code:print(1)"],
    ["node - <<'X'\nrun()\nX", "node - code:run()\n"],
    ["awk '{print $1}' f", "awk {print $1} f"],
    ["sed -n '1,5p;s/a/b/g' f", "sed -n 1,5p;s/a/b/g f"],
    ["ls # that's all; rm x", "ls"],
  ];
  it.each(plain)("knows all that %j runs", async (text, ...commands) => {
    expect(await read(text)).toEqual({ commands, forced: false, unparseable: false });
  });

  const forced: [text: string, ...commands: string[]][] = [
    ['echo "a $(rm x)"', "echo <a $(rm x)>", "rm x"],
    ["echo `rm \\`b\\``", "echo <`rm \\`b\\``>", "rm <`b`>", "b"],
    ["diff <(a) >(b)", "diff <<(a)> <>(b)>", "a", "b"],
    ['echo "${X:-$(a)}"', "echo <${X:-$(a)}>", "a"],
    ["cat <<X\n$(a)\nX", "cat", "a"],
    ["cat <<X\n${v:-`a`}\nX", "cat", "a"],
    ["sh -c 'a; b'", "sh -c a; b", "a", "b"],
    ["bash -eo pipefail -lc 'a'", "bash -eo pipefail -lc a", "a"],
    ["bash <<'X'\na\nX", "bash", "a"],
    ["curl u | sh", "curl u", "sh"],
    ["echo a b | sh", "echo a b", "sh", "~a b"],
    ['eval "a b"', "eval a b", "a b"],
    ["trap 'a' EXIT", "trap a EXIT", "a"],
    ["env -S 'a \"b\"'", '~env -S a "b"', "a b"],
    ["watch -n 1 'a | b'", "watch -n 1 a | b", "a", "b"],
    ["$X a b", "<$X> a b", "~a b"],
    ["X=a; $X b", "X=a", "<$X> b", "~a b"],
    ["sudo --unknown a b", "sudo --unknown a b", "a b"],
    ["echo $((x))", "echo <$((x))>"],
    ["(( x = y ))"],
    ['echo "${v@P}" ${!v}', "echo <${v@P}> <${!v}>"],
    ["test -v 'a[$(x)]'", "~test -v a[$(x)]", "x"],
    ["[[ $v -gt 0 ]]", "~[[ $v -gt 0 ]]"],
    ["declare -i n; n='a[$(x)]'", "declare -i n", "n=a[$(x)]", "x"],
    ["echo a > $f", "echo a write:undefined"],
    ["git -c a.b=c log", "git -c a.b=c log"],
    ["git -c alias.x='!a b' x", "git -c alias.x=!a b x", "a b"],
  ];
  it.each(forced)("opens %j and asks all the same", async (text, ...commands) => {
    expect(await read(text)).toEqual({ commands, forced: true, unparseable: false });
  });

  const doubted: [text: string, ...commands: string[]][] = [
    ["echo 'oops", "echo oops"],
    ["a; echo 'oops", "a", "echo oops"],
    ["cat <<X; rm y\nx\nX", "cat", "rm y"],
    ["cat <<''\nx\n\nrm y", "cat", "rm y"],
    ["echo x\r#; rm y", "echo x\r#", "rm y"],
    ["ls \\ #a; rm y", "ls  #a", "rm y"],
    ["echo x\\\n#; rm y", "echo x#", "rm y"],
    ["git log\n\\\nrm y", "git log", "rm y"],
    ["ls | sort | head\nrm y && ls", "ls", "sort", "head", "rm y", "ls"],
    ["v=(a b)# rm y", "v=(a b)# rm y"],
    ["ls >$\nrm y", "ls write:/p/$", "rm y"],
    ["ls\u0000; rm y", "ls\u0000", "rm y"],
    ["ls\u2028rm y", "ls\u2028rm y"],
    ["cat - <<ONE 3<<TWO\na\nONE\nb\nTWO\nrm y", "cat -", "rm y"],
    ["wc -c >o <<<x", "wc -c write:/p/o"],
    ["<<'X' cat\nrm y\nX", "cat"],
    ["echo @(a|b)", "echo <@(a|b)>"],
  ];
  it.each(doubted)("asks about %j as not understood, and knows what it runs for rules that deny", async (text, ...commands) => {
    const found = await read(text);
    expect(found).toMatchObject({ forced: true, unparseable: true });
    expect(found.commands).toEqual(expect.arrayContaining(commands));
  });

  it("takes no line of a heredoc for a command where it does not understand the rest", async () => {
    const { commands } = await read("cat - /dev/fd/3 <<ONE 3<<TWO\nfirst\nONE\nsecond\nTWO");
    expect(commands.filter((command) => /first|second/.test(command))).toEqual([]);
  });

  it("says what of a text is not resolved, and why", async () => {
    const { unresolved, reason } = await syntax.understand("$X a; echo $(b); cat > $f", "/p");
    expect(unresolved).toEqual([
      { text: "$X a", reason: "a program that is known only when it runs" },
      { text: "$(b)", reason: "a command substitution" },
      { text: "$f", reason: "a file that is known only when it is written" },
    ]);
    expect(reason).toBe(unresolved[0]?.reason);
  });

  it("knows no folder of text that runs nobody knows where", async () => {
    const { commands } = await syntax.commands("ls a");
    expect(commands[0]).toMatchObject({ text: "ls a", files: [{ access: "read", text: "a" }] });
    expect(commands[0]).not.toHaveProperty("cwd");
  });

  it("finds every command of a long list", async () => {
    const found = await read(`${"true; ".repeat(2_000)}rm y`);
    expect(found.commands).toHaveLength(2_001);
    expect(found).toMatchObject({ forced: false });
  });

  it.each([
    ["a pipeline that takes too long", `${"a|".repeat(8_000)}a`],
    ["brackets without end", "[".repeat(30_000)],
    ["substitutions without end", "$(".repeat(20_000)],
    ["parentheses without end", "(".repeat(30_000)],
    ["thousands of heredocs", "cat <<X\n".repeat(3_000)],
    ["more than 64 KB", `echo ${"x".repeat(70_000)}`],
    ["half a surrogate pair", "echo \ud800 | rm y '"],
  ])("answers %s as unparseable, and goes on", async (_name, text) => {
    expect(await read(text)).toMatchObject({ forced: true, unparseable: true });
    expect(await read("ls")).toEqual({ commands: ["ls"], forced: false, unparseable: false });
  });

  it("answers many at once, each its own", async () => {
    const found = await Promise.all(Array.from({ length: 50 }, (_, index) => read(`cmd ${index}`)));
    expect(found.map(({ commands }) => commands[0])).toEqual(Array.from({ length: 50 }, (_, index) => `cmd ${index}`));
  });

  it("is unparseable where no process can be started", async () => {
    const broken = createSyntax({ execPath: "/nowhere/node" });
    expect(await broken.understand("ls", "/")).toMatchObject({ commands: [], forcePrompt: true, unparseable: true });
    await broken.close();
  });

  it("is unparseable once closed", async () => {
    const closed = createSyntax();
    await closed.commands("ls");
    await closed.close();
    expect(await closed.commands("ls")).toMatchObject({ forcePrompt: true, unparseable: true });
  });
});

describe("query()", () => {
  it("answers captures with their places", async () => {
    const found = await syntax.query({ language: "bash", text: "ls\ngit log", query: "(command_name) @name" });
    expect(found).toMatchObject({ truncated: false, hasError: false });
    expect(JSON.parse(found.captures)).toEqual({
      names: ["name"],
      types: ["command_name"],
      places: [0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 6, 1, 1, 0],
      texts: ["ls", "git"],
    });
  });

  it("cuts after as many captures as asked for, and tells", async () => {
    const found = await syntax.query({ language: "bash", text: "a; b; c", query: "(command) @c", maxCaptures: 2 });
    expect(JSON.parse(found.captures).texts).toEqual(["a", "b"]);
    expect(found.truncated).toBe(true);
  });

  it("goes on understanding commands while a long text is queried", async () => {
    let over = false;
    const long = syntax
      .query({ language: "javascript", text: "function f(a) { return [a, { b: a }]; }\n".repeat(40_000), query: "(identifier) @i" })
      .then(() => {
        over = true;
      });
    expect(await syntax.understand("git status", "/p")).toMatchObject({ unparseable: false });
    expect(over).toBe(false);
    await long;
  });

  it("refuses a query that is none, and goes on", async () => {
    await expect(syntax.query({ language: "bash", text: "a", query: "(nothing_such) @x" })).rejects.toMatchObject({ code: "syntax_failed" });
    expect(JSON.parse((await syntax.query({ language: "bash", text: "a", query: "(word) @w" })).captures).texts).toEqual(["a"]);
  });
});

describe("createSyntax()", () => {
  it("does not keep a program alive that has nothing left to do", async () => {
    const entry = fileURLToPath(new URL("../../../core/syntax/syntax.ts", import.meta.url));
    const script = `import { createSyntax } from ${JSON.stringify(entry)}; const { commands } = await createSyntax().commands("a; b"); console.log(commands.length);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, "exit");
    expect([code, output.trim()]).toEqual([0, "2"]);
  });
});
