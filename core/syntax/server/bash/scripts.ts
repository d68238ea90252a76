import type { Item, Node, Script } from "./ast.ts";
import { readCompound, readFunction } from "./compounds.ts";
import { doubt, fail, isBreak, nested, peek, peekNext, type Reader, take } from "./reader.ts";
import { readSimple } from "./simple.ts";
import { skipBlanks, skipPlainBlanks, skipSpace, takeNewline } from "./space.ts";

/** All of the text. */
export function readWhole(reader: Reader): Script {
  const script = readScript(reader, []);
  if (peek(reader) !== undefined) fail(reader);
  return script;
}

/** Commands up to one of the words that end them here, a closing parenthesis or `;;`, which is left; or to the end. */
export function readScript(reader: Reader, ends: readonly string[]): Script {
  const script: Script = { items: [] };
  reader.scripts.push(script);
  nested(reader, () => {
    for (;;) {
      skipSpace(reader);
      if (isEnd(reader, ends)) break;
      const item: Item = { node: readAndOr(reader), background: false };
      script.items.push(item);
      skipBlanks(reader);
      const char = peek(reader);
      if (char === "&") {
        reader.at++;
        item.background = true;
      } else if (char === ";") {
        if (isCaseEnd(reader)) break;
        reader.at++;
      } else if (char === "\n") takeNewline(reader);
      else if (char === undefined || isEnd(reader, ends)) break;
      else fail(reader);
    }
  });
  reader.scripts.pop();
  return script;
}

/** A script that may not be empty. */
export function needScript(reader: Reader, ends: readonly string[]): Script {
  const script = readScript(reader, ends);
  if (script.items.length === 0) fail(reader);
  return script;
}

/** A word without quotes, which is left where it stands. */
export function peekWord(reader: Reader): string {
  const from = reader.at;
  let text = "";
  for (let char = peek(reader); text.length < 9 && !isBreak(char); char = peek(reader)) {
    if (!/[a-z{}![\]]/.test(char!)) {
      text = "";
      break;
    }
    text += char;
    reader.at++;
  }
  reader.at = from;
  return text.length < 9 ? text : "";
}

/** Takes one of the words that mean something where a command may begin. */
export function takeReserved(reader: Reader, word: string): boolean {
  return peekWord(reader) === word && take(reader, word);
}

/** `;;`, `;&` or `;;&` */
export function isCaseEnd(reader: Reader): boolean {
  return peek(reader) === ";" && (peekNext(reader) === ";" || peekNext(reader) === "&");
}

function isEnd(reader: Reader, ends: readonly string[]): boolean {
  const char = peek(reader);
  return char === undefined || char === ")" || isCaseEnd(reader) || (ends.length > 0 && ends.includes(peekWord(reader)));
}

function readAndOr(reader: Reader): Node {
  const first = readPipeline(reader);
  const rest: { op: "&&" | "||"; node: Node }[] = [];
  for (;;) {
    skipBlanks(reader);
    const op = take(reader, "&&") ? "&&" : take(reader, "||") ? "||" : undefined;
    if (op === undefined) return rest.length === 0 ? first : { kind: "andor", first, rest };
    skipSpace(reader);
    rest.push({ op, node: readPipeline(reader) });
  }
}

function readPipeline(reader: Reader): Node {
  reader.timed = undefined;
  let negated = false;
  let timed = false;
  for (;;) {
    skipBlanks(reader);
    const start = reader.at;
    if (takeReserved(reader, "!")) {
      negated = !negated;
      if (peek(reader) === "(") doubt(reader, "an extended pattern");
    } else if (takeReserved(reader, "time")) {
      timed = true;
      reader.timed ??= start;
      skipBlanks(reader);
      if (take(reader, "-p") && !isBreak(peek(reader))) reader.at -= 2;
      skipBlanks(reader);
      if (take(reader, "--") && !isBreak(peek(reader))) reader.at -= 2;
    } else break;
  }
  // `time` alone and `!` alone are nothing.
  const char = peek(reader);
  if ((timed || negated) && (char === undefined || char === "\n" || char === ";")) return { kind: "pipeline", parts: [], negated };
  const parts = [readCommand(reader)];
  for (;;) {
    skipBlanks(reader);
    if (peek(reader) !== "|" || peekNext(reader) === "|") break;
    reader.at++;
    take(reader, "&");
    skipSpace(reader);
    parts.push(readCommand(reader));
  }
  return parts.length === 1 && !negated ? parts[0]! : { kind: "pipeline", parts, negated };
}

function readCommand(reader: Reader): Node {
  skipBlanks(reader);
  const reserved = peekWord(reader);
  if (reserved === "!" || reserved === "time") return readPipeline(reader);
  if (reserved === "coproc") return readCoproc(reader);
  const compound = readCompound(reader, reserved);
  if (compound !== undefined) return compound;
  return readFunction(reader, reserved) ?? readSimple(reader);
}

/** `coproc NAME { ...` names the process; before a simple command the name is its first word. */
function readCoproc(reader: Reader): Node {
  take(reader, "coproc");
  skipPlainBlanks(reader);
  const from = reader.at;
  const body = readCompound(reader, peekWord(reader));
  if (body !== undefined) return { kind: "coproc", name: "", body };
  const name = /^[^\s;&|()<>'"\\$`]+/.exec(reader.source.slice(from, from + 256))?.[0] ?? "";
  reader.at += name.length;
  skipPlainBlanks(reader);
  const named = name === "" ? undefined : readCompound(reader, peekWord(reader));
  if (named !== undefined) return { kind: "coproc", name, body: named };
  reader.at = from;
  return { kind: "coproc", name: "", body: readSimple(reader) };
}
