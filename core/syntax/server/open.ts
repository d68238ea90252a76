import { codeOf, isInterpreter } from "./code.ts";
import { baseName, type Command, commandOf, literal, type Word } from "./command.ts";
import { evaluates } from "./evaluates.ts";
import { gitConfigures, hazards, reserved, rewirers, shells, shellValued } from "./programs.ts";
import { filled, unwrap } from "./unwrap.ts";
import { type Finder, finders, type Wrapper, wrappers } from "./wrappers.ts";

/** Where what was found goes. */
export type Findings = {
  /** A command that is run, to be opened in turn. */
  command(command: Command, input?: Word): void;
  /** Text for a shell, which is read and asked about. */
  text(text: Word, why: string): void;
  /** Not everything that runs is known. */
  force(why: string): void;
};

/** Tells what a command runs besides itself. `input` is what a heredoc or here-string gives it. */
export function openCommand(command: Command, input: Word | undefined, found: Findings): void {
  const [program, ...words] = command.argv;
  if (program === undefined) return;
  if (!program.static) {
    found.force("a program that is known only when it runs");
    // An expansion may come to nothing, and the next word is the program then.
    if (words.length > 0) found.command(commandOf(words, { passive: true }), input);
    return;
  }
  const name = baseName(program);
  if (reserved.has(name) && program.source === name) {
    // The grammar took a keyword for a program: what stands behind it is run.
    found.force(`the word ${name} as a program`);
    if (words.length > 0) found.command(commandOf(words, { passive: true }), input);
    return;
  }
  command.code.push(...codeOf(name, words, input, found.force));
  const rewires = own(rewirers, name);
  if (rewires === null || (rewires !== undefined && words.some((word) => rewires.test(word.text)))) found.force(`what ${name} changes`);
  if (evaluates(name, words)) found.force("a name or number that is evaluated");
  if (isHazard(name, words)) found.force(`what ${name} is told to run or write`);
  const wrapper = own(wrappers, name);
  const finder = own(finders, name);
  command.runner = wrapper !== undefined || rewires !== undefined || shells.has(name) || name === "trap" || isInterpreter(name);
  if (name === "trap") openTrap(words, found);
  else if (name === "alias") for (const word of words) found.text({ ...word, text: word.text.slice(word.text.indexOf("=") + 1) }, "an alias");
  else if (shells.has(name)) openShell(name, words, input, found);
  else if (finder !== undefined) openFinder(words, finder, found);
  else if (wrapper !== undefined) openWrapper(command, name, words, wrapper, input, found);
}

function isHazard(name: string, words: readonly Word[]): boolean {
  const hazard = own(hazards, name);
  if (hazard !== undefined && words.some((word) => hazard.test(word.text))) return true;
  if (name === "uniq") return words.filter((word) => !/^-./.test(word.text)).length > 1;
  if (name !== "git") return false;
  const subcommand = words.findIndex((word, at) => !word.text.startsWith("-") && !/^-[cC]$/.test(words[at - 1]?.text ?? ""));
  const leading = subcommand === -1 ? words : words.slice(0, subcommand);
  const reads = words.some((word) => /^(?:--get|-l$|--list$|get$|list$)/.test(word.text));
  return leading.some((word) => gitConfigures.test(word.text)) || (words[subcommand]?.text === "config" && !reads);
}

function openWrapper(command: Command, name: string, words: readonly Word[], wrapper: Wrapper, input: Word | undefined, found: Findings): void {
  // `coproc NAME { ...` names the process first.
  const named = name === "coproc" && reserved.has(words[1]?.source ?? "");
  const { inner, assignments, texts, unclear, idle } = unwrap(named ? words.slice(1) : words, wrapper);
  if (idle) return;
  if (unclear) found.force(`an option of ${name} that is not known`);
  for (const text of texts) found.text(text, `text for ${name}`);
  if (inner.length === 0) {
    if (assignments.length > 0) command.assignments.push(...assignments);
    return;
  }
  if (wrapper.shell) {
    found.text({ text: inner.map((word) => word.text).join(" "), static: inner.every((word) => word.static), source: "" }, `text for ${name}`);
    return;
  }
  if (wrapper.transparent) command.passive = true;
  found.command(commandOf(inner, { assignments }), input);
}

function openFinder(words: readonly Word[], finder: Finder, found: Findings): void {
  for (let at = 0; at < words.length; at++) {
    if (!finder.starts.includes(words[at]!.text)) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => finder.ends.includes(word.text));
    const inner = end === -1 ? rest : rest.slice(0, end);
    if (inner.length > 0) found.command(commandOf(filled(inner, "{}")));
    at += inner.length;
  }
}

function openShell(name: string, words: readonly Word[], input: Word | undefined, found: Findings): void {
  let given = false;
  let reads = false;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (!word.static) {
      found.force(`an option of ${name} that is not known`);
      return;
    }
    if (word.text === "--" || word.text === "-") {
      at++;
      break;
    }
    if (!/^[-+]./.test(word.text)) break;
    if (word.text === "--version" || word.text === "--help") return;
    if (shellValued.has(word.text) || /^[-+][a-zA-Z]*[oO]$/.test(word.text)) at++;
    if (/^-[a-zA-Z]*c/.test(word.text)) given = true;
    if (/^-[a-zA-Z]*s/.test(word.text)) reads = true;
  }
  const operand = words[at];
  if (given) found.text(operand ?? literal(""), `text for ${name}`);
  else if (operand !== undefined && !reads) return;
  else if (input !== undefined) found.text(input, `text for ${name}`);
  else found.force(`${name} reads what it runs from its input`);
}

function openTrap(words: readonly Word[], found: Findings): void {
  const [handler, ...signals] = words[0]?.text === "--" ? words.slice(1) : words;
  if (handler === undefined || signals.length === 0 || (handler.static && /^(?:-|$)/.test(handler.text))) return;
  found.text(handler, "text for trap");
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
