import { ansiC } from "./quotes.ts";
import type { Word } from "./word.ts";

/**
 * A reading of text that is not bash to its end, only for rules that deny: it may find more than bash would run.
 * The text is cut at everything that may end a command, with bash's own rules for quotes, comments and heredocs.
 */
export function roughCommands(source: string): Word[][] {
  const commands: Word[][] = [];
  let at = 0;
  let depth = 0;
  scan("");
  return commands;

  /** Reads commands up to the closing character of a substitution. */
  function scan(close: string): void {
    let argv: Word[] = [];
    let word: { text: string; static: boolean; from: number; bare: boolean } | undefined;
    let target = false;
    const pending: { delimiter: string; stripped: boolean }[] = [];
    let heredoc: { stripped: boolean } | undefined;
    const put = (text: string, bare = true, known = true) => {
      word ??= { text: "", static: true, from: at, bare: true };
      word.text += text;
      word.static &&= known;
      word.bare &&= bare;
    };
    const endWord = () => {
      if (word === undefined) return;
      if (heredoc !== undefined) pending.push({ delimiter: word.text, stripped: heredoc.stripped });
      else if (!target) argv.push({ text: word.text, static: word.static, source: source.slice(word.from, at) });
      heredoc = undefined;
      target = false;
      word = undefined;
    };
    const endCommand = () => {
      endWord();
      target = false;
      for (const words of candidates(argv)) commands.push(words);
      argv = [];
    };
    while (at < source.length) {
      const char = source[at]!;
      const next = source[at + 1];
      if (close !== "" && char === close) break;
      if (char === "\\") {
        if (next !== "\n" && next !== undefined) put(next, false);
        at += 2;
      } else if (char === "'" || (char === "$" && next === "'")) {
        const start = at + (char === "$" ? 2 : 1);
        const end = quoteEnd(start, char === "$");
        const inner = source.slice(start, end);
        put(char === "$" ? ansiC(inner) : inner, false);
        at = end + 1;
      } else if (char === '"') {
        doubleQuotes(put);
      } else if (char === "`" || (char === "$" && next === "(") || (char === "$" && next === "{" && /\s/.test(source[at + 2] ?? ""))) {
        put("", false, false);
        substitution(char === "`" ? "`" : next === "(" ? ")" : "}", char === "`" ? 1 : 2);
      } else if (char === "\n") {
        endCommand();
        at++;
        for (const { delimiter, stripped } of pending.splice(0)) skipBody(delimiter, stripped);
      } else if (char === " " || char === "\t") {
        endWord();
        at++;
      } else if (char === "#" && word === undefined && source[at - 1] !== ")") {
        while (at < source.length && source[at] !== "\n") at++;
      } else if (char === "<" || char === ">") {
        if (word?.bare && /^\d+$/.test(word.text)) word = undefined;
        endWord();
        const operator = /^(?:<<<|<<-|<<|<>|<&|<|>>|>\||>&|>)/.exec(source.slice(at, at + 3))![0];
        if (operator === "<<" || operator === "<<-") heredoc = { stripped: operator === "<<-" };
        else target = true;
        at += operator.length;
        if (heredoc !== undefined && /^[ \t]*(?:''|"")/.test(source.slice(at))) {
          pending.push({ delimiter: "", stripped: heredoc.stripped });
          heredoc = undefined;
          at = source.indexOf(source.slice(at).trimStart()[0]!, at) + 2;
        }
      } else if (";&|()".includes(char)) {
        endCommand();
        at++;
      } else {
        put(char, true, char !== "$");
        at++;
      }
    }
    endCommand();
  }

  function quoteEnd(start: number, escapes: boolean): number {
    for (let end = start; end < source.length; end++) {
      if (escapes && source[end] === "\\") end++;
      else if (source[end] === "'") return end;
    }
    return source.length;
  }

  function doubleQuotes(put: (text: string, bare: boolean, known?: boolean) => void): void {
    put("", false);
    at++;
    while (at < source.length && source[at] !== '"') {
      const char = source[at]!;
      const next = source[at + 1];
      if (char === "\\" && next !== undefined) {
        put(next === "\n" ? "" : `$\`"\\`.includes(next) ? next : `\\${next}`, false);
        at += 2;
      } else if (char === "`" || (char === "$" && next === "(")) {
        put("", false, false);
        substitution(char === "`" ? "`" : ")", char === "`" ? 1 : 2);
      } else {
        put(char, false, char !== "$");
        at++;
      }
    }
    at++;
  }

  function substitution(close: string, opener: number): void {
    at += opener;
    if (depth >= MAX_DEPTH) return;
    depth++;
    scan(close);
    depth--;
    at++;
  }

  function skipBody(delimiter: string, stripped: boolean): void {
    while (at < source.length) {
      const newline = source.indexOf("\n", at);
      const end = newline === -1 ? source.length : newline;
      const line = source.slice(at, end);
      at = Math.min(end + 1, source.length);
      if ((stripped ? line.replace(/^\t+/, "") : line) === delimiter) break;
    }
  }
}

/** Deeper substitutions are read as if they were not there. */
const MAX_DEPTH = 60;
const LEADING = /^(?:#|if|then|elif|else|while|until|do|!|\{|\(|time|in|case|for|function)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** The words as a command, without keywords and assignments in front; a brace expansion is taken apart. */
function candidates(argv: readonly Word[]): Word[][] {
  let from = 0;
  while (from < argv.length && (LEADING.test(argv[from]!.source) || ASSIGNMENT.test(argv[from]!.text))) from++;
  const words = argv.slice(from);
  const first = words[0];
  if (first === undefined || /^(?:fi|done|esac|\})$/.test(first.source)) return [];
  const inner = /^\{([^{}]*,[^{}]*)\}$/.exec(first.source)?.[1];
  if (inner === undefined) return [words];
  return [[...inner.split(",").map((text) => ({ text, static: true, source: text })), ...words.slice(1)]];
}
