import fc from "fast-check";

/** Programs that scripts run: they only tell that they were run. */
export const stubs = ["qa", "qb", "qc", "qd"] as const;

/** Scripts that bash takes, with all that makes a command hard to see. */
export const scripts: fc.Arbitrary<string> = fc.gen().map((gen) => {
  const one = <T>(...choices: readonly T[]): T => gen(fc.constantFrom, ...choices);
  const chance = (percent: number): boolean => gen(fc.integer, { min: 1, max: 100 }) <= percent;
  let delimiters = 0;
  let bodies: string[] = [];
  const flush = () => {
    const text = bodies.join("");
    bodies = [];
    return text;
  };
  const newline = () => `\n${flush()}`;
  const end = () => (bodies.length > 0 ? newline() : one("; ", "\n", " ;", "\n\t"));

  const plain = () => one(...stubs);
  const name = (): string => {
    const text = plain();
    const [first = "", second = ""] = text;
    const hex = first.charCodeAt(0).toString(16);
    if (chance(4)) return one('"$n1"', `{${text},z}`);
    return one(text, text, text, text, `${first}''${second}`, `\\${text}`, `"${text}"`, `$'\\x${hex}${second}'`, `${first}\\\n${second}`);
  };
  const substitution = (depth: number) => {
    const outer = bodies;
    bodies = [];
    const inner = list(depth - 1);
    bodies = outer;
    return one(`$(${inner})`, `<(${inner})`, `\${u:-$(${inner})}`, `\`${plain()} b\``);
  };
  const word = (depth: number): string =>
    depth > 0 && chance(5)
      ? substitution(depth)
      : one(
          ...["x", "-v", "--o=z", "'a b'", '"a b"', "a\\ b", "$u", '"$u"', "'$(qa)'", "*.q", "{a,b}", "~", "a#b", "\\#", "'#'", '"\\$(qb)"', "\\`"],
        ) + one("", "", "", "'\\'", '"\'"', "'\"'", "a\\\nb", "''", "$((1+2))", "$'a\\'b'", "${#u}", "[x]", "!", "=", "}", "if");
  const redirect = () => one(">o", "> o", ">>o", "2>&1", "2>/dev/null", "<&-", "&>o", "3>o", "<<<w", "<<<'a b'", "{fd}>o");
  const heredoc = () => {
    const id = `E${delimiters++}`;
    const quote = one("", "'", '"');
    bodies.push(`${one("text", "qa", "$u", "qb x\n  qc", "'", '"', "a\\\nb", quote === "" ? "\\$(qa)" : "$(qa)", "# c", "(", "")}\n${id}\n`);
    return `<<${one("", " ")}${quote}${id}${quote}`;
  };
  const wrapper = () =>
    one(
      "command",
      "env",
      "env A=1",
      "env -u X",
      "timeout 5",
      "nohup",
      "nice -n 1",
      "exec",
      "xargs",
      "xargs -n1",
      "xargs -I%",
      "builtin command",
      "stdbuf -oL",
      "time -p",
      "!",
    );
  const hidden = () => {
    const text = `${plain()} e`;
    return one(
      ...[
        `eval '${text}'`,
        `sh -c '${text}'`,
        `bash -c "${text}; ${text}"`,
        `trap '${text}' EXIT`,
        `sh <<<'${text}'`,
        `echo ${text} | sh`,
        `env -S '${text}'`,
      ],
      ...[
        `find . -maxdepth 0 -exec ${text} {} \\;`,
        `bash -c '"$@"' _ ${text}`,
        `n1=${plain()}; $n1`,
        `set -- ${text}; "$@"`,
        `a=(${text}); "\${a[@]}"`,
      ],
      ...[
        `test -v 'q[$(${text})]'`,
        `v='q[$(${text})]'; echo $((v))`,
        `x='$(${text})'; echo "\${x@P}"`,
        `declare -i i; i='q[$(${text})]'`,
        `coproc ${text}`,
      ],
      ...[`f() { ${text} "$@"; }; f k`, `mapfile -C '${text}' -c 1 <<<x`, `printf -v 'q[$(${text})]' x`, `case $(${text}) in x) ;; esac`],
    );
  };
  const simple = (depth: number): string => {
    if (chance(5)) return hidden();
    const parts: string[] = [];
    if (chance(15)) parts.push(one("A=1", "B='x y'", "D=", "n1=qa"));
    if (chance(10)) parts.push(redirect());
    if (chance(15)) parts.push(wrapper());
    parts.push(name());
    for (let left = gen(fc.nat, 2); left > 0; left--) parts.push(word(depth), ...(chance(10) ? [redirect()] : []));
    if (chance(8)) parts.push(heredoc());
    return parts.join(one(" ", "  ", "\t", " \\\n "));
  };
  const block = (depth: number) => list(depth - 1) + end();
  const command = (depth: number): string => {
    if (depth === 0 || chance(65)) return simple(depth);
    switch (gen(fc.nat, 9)) {
      case 0:
        return `{ ${block(depth)}}${one("", " >o")}`;
      case 1:
        return `(${block(depth)})`;
      case 2:
        return `if ${block(depth)}then ${block(depth)}${chance(40) ? `else ${block(depth)}` : ""}fi`;
      case 3:
        return `${one("while", "until")} ${block(depth)}do ${block(depth)}break; done`;
      case 4:
        return `for i in a b${end()}do ${block(depth)}done`;
      case 5:
        return `case x in ${one("x", "*", "(x", "y|x")}) ${block(depth)};; esac`;
      case 6:
        return `f${one("()", " ( )")} { ${block(depth)}}${one("\n", "; ")}f`;
      case 7:
        return `[[ ${one("-f x", "a == b", "$u = ''", "x =~ ^(a|b)$")} ]]`;
      case 8:
        return "((1 + 1))";
      default:
        return `for ((j=0; j<1; j++)); do ${block(depth)}done`;
    }
  };
  const pipeline = (depth: number) =>
    command(depth) + (chance(20) ? one(" | ", "|", " |& ", " |\n") + (bodies.length > 0 ? "cat" : command(depth)) : "");
  const and = (depth: number) => pipeline(depth) + (chance(20) && bodies.length === 0 ? one(" && ", " || ", "&&", " ||\n") + pipeline(depth) : "");
  function list(depth: number): string {
    let text = and(depth);
    for (let left = gen(fc.nat, 2); left > 0; left--) {
      text += (bodies.length > 0 ? newline() : one("; ", ";", " & ", "\n", " # c\n", " #;qa\n", "\n\\\n")) + and(depth);
    }
    return bodies.length > 0 ? text + newline() : text;
  }
  return one("", "", "n1=qa\n") + list(2);
});
