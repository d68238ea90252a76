import { describe, expect, it } from "vitest";
import { follow } from "../../../../core/syntax/server/understand.ts";

/** What commands are run where: `~` where that is not known; what is known of a word behind `=`. */
function places(text: string, folders: string[] = []): string[] {
  const { commands } = follow(text, { cwd: "/p", env: { HOME: "/h", TMP: "/t" }, folders });
  return commands
    .filter(({ argv }) => argv[0]?.text === "x")
    .map(({ cwd, argv }) =>
      [
        cwd?.join("|") ?? "~",
        ...argv
          .slice(1)
          .map(({ text: word, values, contained, lead }) =>
            values === undefined ? (contained ? `${word}~${lead}` : word) : `${word}=${values.join("|")}`,
          ),
      ].join(" "),
    );
}
const reasons = (text: string) => follow(text, { cwd: "/p", env: { HOME: "/h" } }).unresolved.map(({ reason }) => reason);

describe("follow()", () => {
  const folders: [text: string, ...places: string[]][] = [
    ["x", "/p"],
    ["cd a && x", "/p/a"],
    ["cd a; x", "/p/a|/p"],
    ["cd a || exit 1; x", "/p/a"],
    ["cd a || { cd b && x; }; x", "/p/b", "/p/a|/p/b|/p"],
    ["cd /a && cd .. && x", "/"],
    ["cd a && cd - && x", "/p"],
    ["cd && x", "/h"],
    ["cd ~/a && x", "/h/a"],
    ['cd "$HOME" && x', "/h"],
    ["cd $PWD/a && x", "/p/a"],
    ["d=a; cd $d && x", "/p/a"],
    ["for d in a b; do cd /$d && x; done", "/a|/b"],
    ["(cd a && x); x", "/p/a", "/p"],
    ["cd a | x; x", "/p", "/p"],
    ["cd a & x", "/p"],
    ["{ cd a; } && x", "/p/a"],
    ["if cd a; then x; else x; fi; x", "/p/a", "/p", "/p/a|/p"],
    ["pushd a && x && popd && x", "/p/a", "/p"],
    ["command cd a && x", "/p/a"],
    ["env -C a x", "/p/a"],
    ["sudo -D /a x", "/a"],
    ["cd $y && x", "~"],
    ["cd a* && x", "~"],
    ["eval y; x", "~"],
    ["source y && x", "~"],
    ["f() { cd a; }; f; x", "~"],
    ["while y; do cd a; x; done; x", "~", "~"],
    ["CDPATH=/; cd a && x", "~"],
    ["ssh h x", "~"],
    ["sh -c 'cd a && x'", "/p/a"],
    ["find . -execdir x {} +", "~ {}~./"],
    ["cd -P a/.. && x", "/p/a/.."],
    ["cd a b; x", "/p"],
  ];
  it.each(folders)("knows where %j runs what it runs", (text, ...expected) => {
    expect(places(text)).toEqual(expected);
  });

  it("knows that a folder is there until something could have taken it away", () => {
    expect(places("cd a; cd ..; x", ["/p/a", "/p"])).toEqual(["/p"]);
    expect(places("rm -r a; cd a; x", ["/p/a"])).toEqual(["/p/a|/p"]);
  });

  const words: [text: string, ...places: string[]][] = [
    ["x ~ ~/a a~ '~' ~b", "/p ~=/h ~/a=/h/a a~ ~ ~b"],
    ["x $HOME ${TMP}/a $none", "/p $HOME=/h ${TMP}/a=/t/a $none"],
    ["a=1 b='c d'; x $a $b \"$b\"", "/p $a=1 $b=c|d $b=c d"],
    ["a=(b c); x ${a[@]} ${a[1]} $a", "/p ${a[@]}=b|c ${a[1]}=c $a=b"],
    ["a=b; x ${a:-c} ${z:-c} ${a:+d}", "/p ${a:-c}=b ${z:-c} ${a:+d}=d"],
    ["f=a/b.txt; x ${f##*/} ${f%/*} ${f%.txt}.md ${#f}", "/p ${f##*/}=b.txt ${f%/*}=a ${f%.txt}.md=a/b.md ${#f}~"],
    ["x a{b,c}d {1..3} '{a,b}' {a}", "/p a{b,c}d=abd|acd {1..3}=1|2|3 {a,b} {a}"],
    ["x *.c a/*.c */../c", "/p *.c~ a/*.c~a/ */../c"],
    ["for f in *.c; do x $f a/$f ${f%.c}.o; done", "/p $f~ a/$f~a/ ${f%.c}.o~"],
    ["for i in 1 2; do x $i; done", "/p $i=1|2"],
    ["a=1; a=2; x $a; if y; then a=3; fi; x $a", "/p $a=2", "/p $a=3|2"],
    ["while y; do a=1; x $a; a=2; done; x $a", "/p $a=1", "/p $a"],
    ["read a; x $a; unset a; x $a", "/p $a", "/p $a"],
    ["export a=b; x $a", "/p $a=b"],
    ["a=b; sh -c 'x $a'", "/p $a"],
    ["sh -c 'x $1 $2' _ a b", "/p $1=a $2=b"],
    ['set -- a b; x $1 "$@"', "/p $1=a $@=a|b"],
    ["a=b x $a", "/p $a"],
    ["HOME=/z; x ~/a", "/p ~/a=/z/a"],
    ["x name=~/a --n=~/a", "/p name=~/a=name=/h/a --n=~/a"],
    ["xargs x <<< 'a b'", "/p =a|b"],
    ["x \"$(cat <<'Y'\na b\nY\n)\"", "/p $(cat <<'Y'\na b\nY\n)=a b"],
  ];
  it.each(words)("knows the words of %j", (text, ...expected) => {
    expect(places(text)).toEqual(expected);
  });

  const resolved: [text: string, ...reasons: string[]][] = [
    ["i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done"],
    ["for ((i = 0; i < 3; i++)); do x $((i * 2)); done"],
    ["(( n = 1 )); x $((n))"],
    ["[[ $a == b* && -n $c ]]"],
    ["declare -A m; x ${m[a]}", "an expansion that is evaluated"],
    ["x $((n))", "arithmetic with a variable"],
    ["cd $d", "a folder that is known only when it runs"],
    ["cd $d; x > a", "a folder that is known only when it runs", "a file in a folder that is not known"],
    ["x > $f", "a file that is known only when it is written"],
    ["f=a; x > $f"],
    ["x > ${TMPDIR:-/tmp}/a", "a file that is known only when it is written"],
    ["$x", "a program that is known only when it runs"],
    ["~/bin/x"],
    ["x $(cat <<'Y'\na\nY\n)"],
    ["x $(y)", "a command substitution"],
  ];
  it.each(resolved)("lists what of %j is not resolved", (text, ...expected) => {
    expect(reasons(text)).toEqual(expected);
  });

  it("says what leads to a command", () => {
    const { commands } = follow("timeout 5 sh -c 'echo $(x)'", { cwd: "/p", env: {} });
    expect(commands.map(({ text, via }) => [text, ...via])).toEqual([
      ["timeout 5 sh -c 'echo $(x)'"],
      ["sh -c 'echo $(x)'", "timeout"],
      ["echo $(x)", "timeout", "sh"],
      ["x", "timeout", "sh", "a command substitution"],
    ]);
  });

  it("follows text in text only so far", () => {
    const deep = Array.from({ length: 12 }).reduce<string>((inner) => `eval ${JSON.stringify(inner)}`, "x");
    expect(reasons(deep)).toContain("texts for a shell in texts for a shell");
  });

  it("takes time in proportion to the text", () => {
    const seconds = (text: string) => {
      const from = performance.now();
      follow(text, { cwd: "/p", env: {} });
      return performance.now() - from;
    };
    for (const part of [
      "a=b; ",
      "cd a; ",
      "if a; then b=1; fi; ",
      "x $(y) ",
      "f() { x; }; f; ",
      "for i in a b; do x $i; done; ",
      "x <<A\na\nA\n",
      "env ",
    ]) {
      expect(seconds(part.repeat(Math.floor(60_000 / part.length))), part).toBeLessThan(5_000);
    }
  });
});
