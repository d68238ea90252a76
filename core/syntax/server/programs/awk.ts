import { literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import type { Findings } from "./program.ts";

/** Its program may write files and run commands. */
export function openAwk({ options, rest }: Call, found: Findings): void {
  const sources = options.flatMap(({ option, value }) => (option.name === "--source" && value !== undefined ? [value] : []));
  const fromFile = options.some(({ option }) => option.name === "--file" || option.name === "--exec");
  const [program, ...operands] = rest;
  if (sources.length === 0 && !fromFile && program !== undefined) sources.push(program);
  for (const source of sources) openProgram(source, found);
  if (fromFile) found.force("what the program of awk does");
  for (const word of sources.length > 0 && options.every(({ option }) => option.name !== "--source") ? operands : rest) {
    if (!/^[A-Za-z_]\w*=/.test(word.text)) found.file("read", word);
  }
}

function openProgram(program: Word, found: Findings): void {
  const text = onlyValue(program);
  const effects = text === undefined ? undefined : awkEffects(text);
  if (effects === undefined) found.code(program);
  for (const file of effects?.writes ?? []) found.file("write", literal(file));
  for (const file of effects?.reads ?? []) found.file("read", literal(file));
  for (const command of effects?.runs ?? []) found.text(literal(command), "text for awk");
}

type Effects = { writes: string[]; reads: string[]; runs: string[] };
type Token = { kind: "string" | "regex" | "word" | "mark" | "newline"; text: string };

/** Files and commands that a program names as plain text; undefined where one is only known as it runs. */
export function awkEffects(program: string): Effects | undefined {
  const tokens = tokensOf(program);
  if (tokens === undefined) return undefined;
  const effects: Effects = { writes: [], reads: [], runs: [] };
  /** Where the print stands whose output may be redirected. */
  let printing: number | undefined;
  let depth = 0;
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === "word") {
      if (text === "print" || text === "printf") printing = depth;
      // Any name may be called, and only some calls are known.
      if (text === "system") {
        const argument = constant(tokens, at + 2, ")");
        if (tokens[at + 1]?.text !== "(" || argument === undefined) return undefined;
        effects.runs.push(argument);
      } else if (text === "getline") {
        if (tokens[at - 1]?.text === "|" || tokens[at - 1]?.text === "|&") continue;
        const file = tokens.findIndex((token, index) => index > at && token.text === "<" && index <= at + 4);
        if (file === -1) continue;
        if (tokens[file + 1]?.kind !== "string") return undefined;
        effects.reads.push(tokens[file + 1]!.text);
      }
    } else if (kind === "newline" && /^(?:,|&&|\|\|)$/.test(tokens[at - 1]?.text ?? "")) {
      // The statement goes on.
    } else if (kind === "newline" || (kind === "mark" && /^[;{}]$/.test(text))) {
      printing = undefined;
      if (text === "{" || text === "}") depth = 0;
    } else if (kind === "mark") {
      if (text === "(" || text === "[") depth++;
      if (text === ")" || text === "]") depth--;
      if (text === "@") return undefined;
      if (text === "|" || text === "|&") {
        const command = tokens[at + 1]?.text === "getline" ? before(tokens, at) : constant(tokens, at + 1, undefined);
        if (command === undefined) return undefined;
        effects.runs.push(command);
      } else if ((text === ">" || text === ">>") && printing === depth) {
        const file = constant(tokens, at + 1, undefined);
        if (file === undefined) return undefined;
        effects.writes.push(file);
      }
    }
  }
  return effects;
}

/** The text of a string that stands alone up to the end of its statement, or to a closing mark. */
function constant(tokens: readonly Token[], at: number, close: string | undefined): string | undefined {
  const token = tokens[at];
  const next = tokens[at + 1];
  const ends = next === undefined || (close === undefined ? next.kind === "newline" || /^[;}]$/.test(next.text) : next.text === close);
  return token?.kind === "string" && ends ? token.text : undefined;
}

function before(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at - 1];
  const earlier = tokens[at - 2];
  const starts = earlier === undefined || earlier.kind === "newline" || /^[;{}(]$|^&&$|^\|\|$/.test(earlier.text);
  return token?.kind === "string" && starts ? token.text : undefined;
}

function tokensOf(program: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at, at + 4_096);
    const blank = /^(?:[ \t\r]|\\\n)+|^#[^\n]*/.exec(rest);
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const string = /^"((?:[^"\\\n]|\\[\s\S])*)"/.exec(rest);
    const regex = string === null && dividesNot(tokens.at(-1)) ? /^\/(?:[^/\\\n[]|\\.|\[\^?\]?[^\]\n]*\])*\//.exec(rest) : null;
    const word = /^[A-Za-z_]\w*/.exec(rest);
    const mark = /^(?:\|&|\|\||&&|>>|>=|<=|==|!=|!~|\+\+|--|[-+*/%^]=|\*\*=?|[\s\S])/.exec(rest)!;
    // What a number stands for in a string is not worked out.
    if (string !== null) tokens.push(/\\[0-7xu]/.test(string[0]) ? { kind: "mark", text: '"' } : { kind: "string", text: unescaped(string[1]!) });
    else if (rest[0] === '"') return undefined;
    else if (regex !== null) tokens.push({ kind: "regex", text: regex[0] });
    else if (word !== null) tokens.push({ kind: "word", text: word[0] });
    else if (mark[0] === "\n") tokens.push({ kind: "newline", text: "\n" });
    else tokens.push({ kind: /^\d$/.test(mark[0]) ? "word" : "mark", text: mark[0] });
    at += (string ?? regex ?? word ?? mark)[0].length;
  }
  return tokens;
}

/** A slash after a value divides; elsewhere it begins a regular expression. */
function dividesNot(last: Token | undefined): boolean {
  if (last === undefined || last.kind === "newline") return true;
  if (last.kind === "mark") return !/^(?:\)|\]|\$|\+\+|--)$/.test(last.text);
  return last.kind === "word" && /^(?:print|printf|return|in|getline|case)$/.test(last.text);
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (_all, char: string) => ESCAPES[char] ?? char);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", "/": "/" };
