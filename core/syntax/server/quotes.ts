/** The text between `$'` and `'`. It ends at a NUL, as in bash; bytes are read as UTF-8. */
export function ansiC(inner: string): string {
  const pieces: (string | number)[] = [];
  let from = 0;
  for (const match of inner.matchAll(ESCAPE)) {
    pieces.push(inner.slice(from, match.index), meaning(match[1]!));
    from = match.index + match[0].length;
  }
  pieces.push(inner.slice(from));
  const end = pieces.indexOf(0);
  return textOf(end === -1 ? pieces : pieces.slice(0, end));
}

const ESCAPE = /\\(x\{[0-9a-fA-F]*\}?|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c\\\\|c[\s\S]|[\s\S])/g;
const NAMED: Readonly<Record<string, string>> = { a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Text, or one byte. */
function meaning(code: string): string | number {
  const first = code[0]!;
  if (code.length === 1 && "xuU".includes(first)) return `\\${code}`;
  if (first === "x") return Number.parseInt(`0${code.replace(/[x{}]/g, "").slice(-2)}`, 16);
  if (first === "u" || first === "U") {
    const point = Number.parseInt(code.slice(1), 16);
    return point === 0 ? 0 : point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  }
  if (/[0-7]/.test(first)) return Number.parseInt(code, 8) & 0xff;
  if (first === "c" && code.length > 1) return code.charCodeAt(1) & 0x1f;
  return NAMED[first] ?? (`'"\\?`.includes(first) ? first : `\\${code}`);
}

function textOf(pieces: readonly (string | number)[]): string {
  let text = "";
  let bytes: number[] = [];
  for (const piece of [...pieces, ""]) {
    if (typeof piece === "number") bytes.push(piece);
    else if (piece !== "" || bytes.length > 0) {
      text += (bytes.length === 0 ? "" : Buffer.from(bytes).toString("utf8")) + piece;
      bytes = [];
    }
  }
  return text;
}
