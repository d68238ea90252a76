import { onlyValue, type Word } from "../word.ts";
import { type Call, takesApart } from "./call.ts";
import { isListed, type OptionTable, optionTable } from "./option-spec.ts";
import type { Findings, Program } from "./program.ts";
import { unlistedOptions } from "./unlisted.ts";

/** What is known of a program's use besides its effects. */
export type Judged = {
  /** The program, its subcommands, and all that follows, without options in between. */
  subject: Word[] | undefined;
  /** How many of those words say what it does; undefined where only the exact command does. */
  keeps: number | undefined;
  runner: boolean;
  transparent: boolean;
  free: boolean;
};

/** Tells what a program does with its words. */
export function judge(name: Word, words: readonly Word[], program: Program, input: Word | undefined, found: Findings): Judged {
  return judgeWith(program, [name], words, input, program.options ?? "", found);
}

function judgeWith(
  program: Program,
  path: readonly Word[],
  words: readonly Word[],
  input: Word | undefined,
  options: string,
  found: Findings,
): Judged {
  const names = path.map((word) => word.text);
  if (program.subcommands === undefined) {
    const call = takesApart(program, names, words, input, options);
    apply(call, found, optionTable(options));
    return judged(program, path, words);
  }
  // `cargo +nightly build`
  const toolchain = path.length === 1 && /^\+./.test(words[0]?.text ?? "") ? words[0] : undefined;
  if (toolchain?.text.includes("/")) found.force("a toolchain from elsewhere");
  const call = takesApart({ ...program, stops: true, operands: "_" }, names, toolchain === undefined ? words : words.slice(1), input, options);
  const [word] = call.operands;
  const given = word === undefined ? undefined : onlyValue(word);
  const subcommand = given === undefined ? undefined : (program.aliases?.[given] ?? given);
  const next = subcommand !== undefined && Object.hasOwn(program.subcommands, subcommand) ? program.subcommands[subcommand] : undefined;
  // What the subcommand does counts, where it is known.
  const leading: Call = {
    ...call,
    program: next === undefined ? program : { ...program, does: "reads" },
    operands: [],
    rest: [],
    unclear: word !== undefined && given === undefined ? [word] : [],
  };
  apply(leading, found, optionTable(options), word !== undefined && next === undefined);
  if (word === undefined || next === undefined)
    return { ...judged(program, path, call.operands.concat(call.rest)), keeps: word === undefined ? undefined : 2 };
  const named = subcommand === undefined || subcommand === word.text ? word : { ...word, text: subcommand };
  return judgeWith(next, [...path, named], call.rest, input, `${program.everywhere ? options : ""} ${next.options ?? ""}`, found);
}

function judged(program: Program, path: readonly Word[], rest: readonly Word[]): Judged {
  return {
    subject: path.length > 1 || rest.length > 0 ? [...path, ...rest] : undefined,
    keeps: program.exact || program.runner ? undefined : (program.keeps ?? path.length),
    runner: program.runner === true,
    transparent: program.transparent === true,
    free: program.free === true,
  };
}

function apply(call: Call, found: Findings, table: OptionTable, other = false): void {
  const { program, path, words, unclear, unlisted, options: given } = call;
  if (given.some(({ option }) => option.role === "n")) {
    found.does("reads");
    return;
  }
  found.does(other || (unlisted.length > 0 && program.options !== undefined && program.does === "reads") ? "unknown" : program.does);
  roles(call, found);
  // What may be an option may be any of them.
  if (table.risky) for (const word of unclear) found.unclear(word);
  if (unlisted.length > 0 || program.does === "runs") {
    // The value of an option that is not known could be taken for the command.
    if (unlisted.length > 0 && program.stops && program.operands?.endsWith("command")) found.force(`an option of ${path.at(-1)} that is not known`);
    else if (!program.stops && program.runner !== true)
      unlistedOptions(words, (option) => isListed(table, option, program.single === true), program.does, found);
  }
  if (program.special === undefined) operands(call, found);
  else program.special(call, found);
}

/** Gives each option the role that it has. */
export function roles({ options, path }: Call, found: Findings): void {
  for (const { option, value, word } of options) act(option.role, value ?? word, `what ${path.join(" ")} is told by ${option.name}`, found);
}

/** Gives each operand the role that its place has. */
export function operands({ program, operands: words, rest }: Call, found: Findings): void {
  const tokens = (program.operands ?? "").split(" ").filter((token) => token !== "");
  const last = tokens.at(-1);
  if (last === "command" && rest.length > 0) found.command(rest);
  const roles = tokens.filter((token) => token !== "command" && token !== "text");
  const star = roles.findIndex((token) => token.endsWith("*"));
  const tail = star === -1 ? 0 : roles.length - star - 1;
  for (const [at, word] of words.entries()) {
    const fromEnd = words.length - at;
    const token = star === -1 || at < star ? roles[at] : fromEnd <= tail ? roles[roles.length - fromEnd] : roles[star];
    if (token !== undefined) act(token[0]!, word, "", found);
  }
}

function act(role: string, value: Word, why: string, found: Findings): void {
  if (Object.hasOwn(acts, role)) acts[role]!(value, why, found);
}

/** What a word does by its role; see `Program`. */
const acts: Readonly<Record<string, (value: Word, why: string, found: Findings) => void>> = {
  r: (value, _why, found) => found.file("read", value),
  w: (value, _why, found) => found.file("write", value),
  W: (value, _why, found) => found.file("write", value, true),
  d: (value, _why, found) => found.folder(value),
  D: (value, _why, found) => found.enter(value),
  x: (value, why, found) => found.text(value, why),
  p(value, _why, found) {
    found.does("runs");
    found.command(splitAtBlanks(value));
  },
  c: (value, _why, found) => found.code(value),
  u: (value, _why, found) => found.url(value),
  a: (_value, why, found) => found.force(why),
};

/** A command in one text, as programs that know no quotes take it. */
export function splitAtBlanks(word: Word): Word[] {
  const text = onlyValue(word);
  if (text === undefined) return [{ ...word, static: false }];
  return text
    .split(/[ \t\n]+/)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, static: true, source: part }));
}
