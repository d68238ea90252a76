/** The text between double quotes, or of a heredoc whose delimiter is not quoted: a backslash counts before these characters only. */
export function doubleQuoted(inner: string): string {
  return inner.replace(/\\([$`"\\]|\n)/g, (_all, char: string) => (char === "\n" ? "" : char));
}

export function heredocText(body: string): string {
  return body.replace(/\\([$`\\]|\n)/g, (_all, char: string) => (char === "\n" ? "" : char));
}

/** The text between `$'` and `'`. It ends at a NUL, as in bash. */
export function ansiC(inner: string): string {
  const text = inner.replace(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c[\s\S]|[\s\S])/g, (_all, code: string) => {
    const first = code[0]!;
    if (first === "x" || first === "u" || first === "U") return code.length === 1 ? `\\${code}` : character(Number.parseInt(code.slice(1), 16));
    if (/[0-7]/.test(first)) return character(Number.parseInt(code, 8) & 0xff);
    if (first === "c" && code.length > 1) return character(code.charCodeAt(1) & 0x1f);
    return NAMED[first] ?? (`'"\\?`.includes(first) ? first : `\\${code}`);
  });
  const end = text.indexOf("\0");
  return end === -1 ? text : text.slice(0, end);
}

const NAMED: Readonly<Record<string, string>> = { a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
