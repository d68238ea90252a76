import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Node, Part, Script, WordNode } from "../../../../../core/syntax/server/bash/ast.ts";
import { parseBash } from "../../../../../core/syntax/server/bash/parse.ts";

/** The shape of a script: words in brackets, quoted text in `''`, what is expanded by its kind. */
function shape(text: string): string {
  const { script, error, doubts } = parseBash(text);
  return [ofScript(script), ...(error === undefined ? [] : [`error: ${error}`]), ...doubts.map((each) => `doubt: ${each}`)].join(" | ");
}

function ofScript({ items }: Script): string {
  return items.map(({ node, background }) => ofNode(node) + (background ? " &" : "")).join("; ");
}

function ofNode(node: Node): string {
  const redirects =
    "redirects" in node
      ? node.redirects.map(
          ({ op, fd = "", target, heredoc }) => ` ${fd}${op}${ofWord(target)}${heredoc === undefined ? "" : `{${ofParts(heredoc.parts)}}`}`,
        )
      : [];
  const behind = redirects.join("");
  switch (node.kind) {
    case "simple":
      return [...node.assigns, ...node.words].map(ofWord).join(" ") + behind;
    case "pipeline":
      return (node.negated ? "not " : "") + node.parts.map(ofNode).join(" | ");
    case "andor":
      return ofNode(node.first) + node.rest.map((each) => ` ${each.op} ${ofNode(each.node)}`).join("");
    case "group":
      return (node.subshell ? `(${ofScript(node.body)})` : `{${ofScript(node.body)}}`) + behind;
    case "if":
      return `if ${node.clauses.map(({ condition, body }) => `${ofScript(condition)} then ${ofScript(body)}`).join(" elif ")}${node.otherwise === undefined ? "" : ` else ${ofScript(node.otherwise)}`}${behind}`;
    case "while":
      return `while ${ofScript(node.condition)} do ${ofScript(node.body)}${behind}`;
    case "for":
      return `for ${node.name} in ${node.words?.map(ofWord).join(" ") ?? "args"} do ${ofScript(node.body)}${behind}`;
    case "count":
      return `for ${node.header.map(({ raw }) => raw).join("/")} do ${ofScript(node.body)}`;
    case "case":
      return `case ${ofWord(node.subject)} ${node.arms.map(({ patterns, body }) => `${patterns.map(ofWord).join("|")} => ${ofScript(body)}`).join(", ")}`;
    case "arithmetic":
      return `((${node.expression.raw}))`;
    case "test":
      return `[[ ${node.tokens.map((token) => token.op ?? ofWord(token.word!)).join(" ")} ]]`;
    case "function":
      return `function ${node.name} ${ofNode(node.body)}`;
    case "coproc":
      return `coproc ${node.name} ${ofNode(node.body)}`;
  }
}

function ofWord({ parts, assign }: WordNode): string {
  return `${assign === undefined ? "" : `${assign.name}${assign.append ? "+" : ""}=`}[${ofParts(parts)}]`;
}

function ofParts(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.quoted ? `'${part.text}'` : part.text;
      if (part.kind === "command") return `${part.form}${ofScript(part.script)}`;
      if (part.kind === "array") return part.items.map(ofWord).join(" ");
      return part.kind === "param" ? part.param.raw : `$((${part.expression.raw}))`;
    })
    .join("");
}

describe("parseBash()", () => {
  const rows: [text: string, shape: string][] = [
    ["", ""],
    ["a b", "[a] [b]"],
    ["a|b|&c", "[a] | [b] | [c]"],
    ["a && b || c; d & e", "[a] && [b] || [c]; [d] &; [e]"],
    ["a\n\\\nb", "[a]; [b]"],
    ["a\\\nb c", "[ab] [c]"],
    ["! a | b", "not [a] | [b]"],
    ["time -p a", "[a]"],
    ["time", ""],
    ["A=1 B+=2 c D=3", "A=[1] B+=[2] [c] [D=3]"],
    ["a[1]=2 b=(c [1]=d)", "a=[2] b=[[c] [[1]=d]]"],
    ["export a=(b c)", "[export] a=[[b] [c]]"],
    ["'a b'c\"d $e\"\\ f", "['a b'c'd '$e' 'f]"],
    ["$'a\\'b' $\"c\"", "['a'b'] ['c']"],
    ["$'\\x{6e}\\156\\u006e'", "['nnn']"],
    ["a#b # c", "[a#b]"],
    ["a \\#b", "[a] ['#'b]"],
    ["echo x\\\n#y", "[echo] [x#y]"],
    ["a>b c 2>&1 <d", "[a] [c] >[b] 2>&[1] <[d]"],
    ["{x}>a b", "[b] {x}>[a]"],
    ["<&-a", "[a] <&[-]"],
    ["a &>b &>>c >|d <>e", "[a] &>[b] &>>[c] >|[d] <>[e]"],
    ["a <<X | b\n$c\nX\nd", "[a] <<[X]{$c'\n'} | [b]; [d]"],
    ["a <<'X' <<-Y\n$c\nX\n\td\n\tY\n", "[a] <<['X']{'$c\n'} <<-[Y]{'d\n'}"],
    ["a <<X\nb\\\nX\nX\nc", "[a] <<[X]{'bX\n'}; [c]"],
    ["a <<$X\nb\n$X\nc", "[a] <<[$X]{'b\n'}; [c] | doubt: an unusual heredoc delimiter"],
    ["a <<< 'b c'", "[a] <<<['b c']"],
    ["a $(b; c) `d \\`e\\`` <(f) >(g)", "[a] [$([b]; [c]] [`[d] [`[e]]] [<([f]] [>([g]]"],
    ["a x<(b)", "[a] [x<([b]]"],
    ['"$(a "b")"', "[''$([a] ['b']]"],
    ["${a} ${b:-$(c)} ${#d} ${!e} ${f[1]} ${g@P} ${h//x/y}", "[${a}] [${b:-$(c)}] [${#d}] [${!e}] [${f[1]}] [${g@P}] [${h//x/y}]"],
    ["echo $((1 + (2))) $[3]", "[echo] [$((1 + (2)))] [$((3))]"],
    ["$((a); (b))", "[$(([a]); ([b])]"],
    ["((a = 1)); ((a); b)", "((a = 1)); (([a]); [b])"],
    ["(a; b) >c", "([a]; [b]) >[c]"],
    ["{ a; } 2>b; {a", "{[a]} 2>[b]; [{a]"],
    ["if a; then b; elif c; then d; else e; fi", "if [a] then [b] elif [c] then [d] else [e]"],
    ["if (a) then b; fi", "if ([a]) then [b]"],
    ["while a; do b; done <c", "while [a] do [b] <[c]"],
    ["for a in b c; do d; done", "for a in [b] [c] do [d]"],
    ["for a\ndo b; done", "for a in args do [b]"],
    ["for a in b; { c; }", "for a in [b] do [c]"],
    ["for ((i=0; i<3; i++)); do a; done", "for i=0/ i<3/ i++ do [a]"],
    ["case a in b|c) d;; (e) f;& *) esac", "case [a] [b]|[c] => [d], [e] => [f], [*] => "],
    ["f() { a; }; function g (b)", "function f {[a]}; function g ([b])"],
    ["coproc a b; coproc P { c; }", "coproc  [a] [b]; coproc P {[c]}"],
    ["[[ a == b* && ! -f c ]]", "[[ [a] [==] [b*] && [!] [-f] [c] ]]"],
    ["[[ a =~ ^(b|c)$ ]] && d", "[[ [a] [=~] [^(b|c)$] ]] && [d]"],
    ["[[ a == @(b|c) ]]", "[[ [a] [==] [@(b|c)] ]]"],
    ["a @(b|c)", "[a] [@(b|c)] | doubt: an extended pattern"],
    ["!(a)", "not ([a]) | doubt: an extended pattern"],
    ["echo ${ a; }", "[echo] [${[a]]"],
    ["a <<X\nb", "[a] <<[X]{'b\n'} | doubt: a heredoc without its end"],
  ];
  it.each(rows)("reads %j", (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  it.each([
    "a 'b",
    'a "b',
    "a $(b",
    "a `b",
    "(a",
    "a)",
    "a &&",
    "| a",
    "if a; then",
    "fi",
    "for a in b",
    "case a in",
    "{ a",
    "a ;; b",
    "f() a",
    "a (b)",
    "<",
    "> ;",
    "a <\n",
    "done",
    "in",
    "function",
    "a <#b",
  ])("reads no further than bash does: %j", (text) => {
    expect(parseBash(text).error).toBeDefined();
  });

  it("keeps what stands before an error, which bash runs", () => {
    expect(shape("a; b\nc )")).toMatch(/^\[a\]; \[b\]; \[c\] \| error/);
  });

  it("ends soon, however deep the text is nested", () => {
    for (const open of ["$(", "(", "{ ", "`", "${a:-", '"$(', "$((", "((", "[[ ( ", "<(", "if ", "a=("]) {
      const text = open.repeat(Math.floor(60_000 / open.length));
      expect(parseBash(text).error ?? "read").toBeDefined();
    }
  });

  const hasBash = spawnSync("bash", ["-c", "true"]).status === 0;
  it.runIf(hasBash)("takes what bash takes, and refuses what it refuses", () => {
    const texts = rows.map(([text]) => text).filter((text) => text !== "" && !/@\(|\$\{ /.test(text));
    const refused = texts.filter((text) => spawnSync("bash", ["-n", "-c", "--", text]).status !== 0);
    expect(refused).toEqual([]);
  });
});
