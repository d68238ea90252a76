import { literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import type { Findings } from "./program.ts";

/** Its scripts may write files and run commands; with `-i` it writes what it reads. */
export function openSed({ options, operands }: Call, found: Findings): void {
  const given = options.filter(({ option }) => option.name === "--expression" || option.name === "--file");
  const [first, ...files] = operands;
  const scripts = options.flatMap(({ option, value }) => (option.name === "--expression" && value !== undefined ? [value] : []));
  if (given.length === 0 && first !== undefined) scripts.push(first);
  const read = given.length === 0 ? files : operands;
  const inPlace = options.some(({ option }) => option.name === "--in-place");
  for (const script of scripts) openScript(script, found);
  // What a script in a file does is not known.
  if (options.some(({ option }) => option.name === "--file")) found.force("what the script of sed does");
  for (const file of read) found.file(inPlace ? "write" : "read", file);
}

function openScript(script: Word, found: Findings): void {
  const text = onlyValue(script);
  const effects = text === undefined ? undefined : sedEffects(text);
  if (effects === undefined) found.code(script);
  for (const file of effects?.writes ?? []) found.file("write", literal(file));
  for (const file of effects?.reads ?? []) found.file("read", literal(file));
  for (const command of effects?.runs ?? []) {
    if (command === "") found.force("what sed is told to run");
    else found.text(literal(command), "text for sed");
  }
}

type Effects = { writes: string[]; reads: string[]; runs: string[] };

/** What the commands of a script do; undefined where it is not understood. */
export function sedEffects(script: string): Effects | undefined {
  const effects: Effects = { writes: [], reads: [], runs: [] };
  let at = 0;
  const rest = () => {
    const end = script.indexOf("\n", at);
    const line = script.slice(at, end === -1 ? script.length : end);
    at = end === -1 ? script.length : end + 1;
    return line.trim();
  };
  while (at < script.length) {
    const address = ADDRESS.exec(script.slice(at, at + MAX_ADDRESS));
    at += address?.[0].length ?? 0;
    const command = script[at++];
    if (command === undefined) break;
    if (command === "}" || command === "{") continue;
    if (command === "#") rest();
    else if (command === ":" || command === "b" || command === "t" || command === "T") at += /^[^;}\n]*/.exec(script.slice(at))![0].length;
    else if ("=dDgGhHnNpPxzF".includes(command)) at += 0;
    else if ("lLqQ".includes(command)) at += /^\s*\d*/.exec(script.slice(at, at + 32))![0].length;
    else if ("aic".includes(command)) {
      // Lines that end in a backslash go on.
      for (let line = rest(); line.endsWith("\\") && at < script.length; line = rest());
    } else if (command === "w" || command === "W") effects.writes.push(rest());
    else if (command === "r" || command === "R") effects.reads.push(rest());
    else if (command === "e") effects.runs.push(rest());
    else if (command === "y" || command === "s") {
      const end = delimited(script, at, command === "s" ? 2 : 2);
      if (end === undefined) return undefined;
      at = end;
      if (command === "y") continue;
      const flags = /^[gpiImM\d]*/.exec(script.slice(at))![0];
      at += flags.length;
      if (script[at] === "e") {
        effects.runs.push("");
        at += 1 + /^[gpiImM\d]*/.exec(script.slice(at + 1))![0].length;
      }
      if (script[at] === "w") {
        at++;
        effects.writes.push(rest());
      }
    } else return undefined;
    if (!/^[ \t]*(?:[;}\n#]|$)/.test(script.slice(at)) && script[at - 1] !== "\n") return undefined;
    at += /^[ \t]*[;\n]?/.exec(script.slice(at))![0].length;
  }
  return effects;
}

const MAX_ADDRESS = 4_096;
const REGEX = String.raw`(?:\/(?:[^/\\\n]|\\[\s\S])*\/|\\(.)(?:(?!\1)[^\\\n]|\\[\s\S])*\1)[IM]*`;
const ONE = String.raw`(?:\d+(?:~\d+)?|\$|${REGEX})`;
const ADDRESS = new RegExp(String.raw`^[\s;]*(?:${ONE}(?:\s*,\s*(?:[+~]?\d+|\$|${REGEX.replaceAll("1", "2")}))?)?\s*!?\s*`);

/** The end of so many texts behind one delimiter, which any character is. */
function delimited(script: string, from: number, count: number): number | undefined {
  const mark = script[from];
  if (mark === undefined || mark === "\n" || mark === "\\") return undefined;
  let left = count;
  let bracket = false;
  for (let at = from + 1; at < script.length; at++) {
    const char = script[at];
    if (char === "\\") at++;
    else if (bracket) bracket = char !== "]";
    else if (char === "[" && left === count) bracket = script.indexOf("]", at + 2) !== -1;
    else if (char === mark && --left === 0) return at + 1;
    if (bracket && char === "[" && /^\^?\]/.test(script.slice(at + 1, at + 3))) at += script[at + 1] === "^" ? 2 : 1;
  }
  return undefined;
}
