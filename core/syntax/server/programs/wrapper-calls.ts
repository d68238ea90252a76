import { literal, onlyValue, spread, type Word } from "../word.ts";
import { joined } from "./builtins.ts";
import { type Call, takesApart } from "./call.ts";
import type { Findings, Program } from "./program.ts";
import { filled, SAFE_TEXT, wordsOf } from "./wrapping.ts";

export function openEnv(given: Call, found: Findings): void {
  // A lone dash is `-i`.
  const call = onlyValue(given.rest[0]) === "-" ? takesApart(given.program, given.path, given.rest.slice(1), given.input) : given;
  const folder = call.options.find(({ option }) => option.name === "--chdir")?.value;
  if (folder !== undefined) found.folder(folder);
  const split = call.options.findIndex(({ option }) => option.name === "--split-string");
  if (split === -1) {
    if (call.rest.length > 0) found.command(call.rest, { assignments: call.assignments, ...(folder === undefined ? {} : { folder }) });
    else if (call.assignments.length > 0) found.does("reads");
    return;
  }
  const text = call.options[split]!.value;
  const known = onlyValue(text);
  const behind = spread([...call.assignments.map(({ name, value }) => ({ ...value, text: `${name}=${value.text}` })), ...call.rest]);
  // Its words are read as further words of env itself.
  if (known !== undefined && SAFE_TEXT.test(known)) found.command([literal("env"), ...wordsOf(known), ...behind], { passive: true });
  else found.text(joined([...(text === undefined ? [] : [text]), ...behind]), "text for env");
}

export function openSudo(call: Call, found: Findings): void {
  const folder = call.options.find(({ option }) => option.name === "--chdir")?.value;
  if (folder !== undefined) found.folder(folder);
  const shell = call.options.some(({ option }) => option.name === "--shell" || option.name === "--login");
  if (call.unlisted.length > 0) found.force("an option of sudo that is not known");
  if (call.rest.length === 0) {
    if (shell) found.force("a shell that reads what it runs from its input");
    return;
  }
  found.command(call.rest, { assignments: call.assignments, ...(folder === undefined ? {} : { folder }) });
}

/** `su USER -c TEXT`; what stands behind the user are arguments of that shell. */
export function openSu(call: Call, found: Findings): void {
  const { program, path, words, input } = call;
  const whole = takesApart({ ...program, operands: "_*", stops: undefined } as unknown as Program, path, words, input);
  const texts = whole.options.filter(({ option }) => option.name === "--command" || option.name === "--session-command");
  const user = whole.options.some(({ option }) => option.name === "--user");
  for (const { value } of texts) if (value !== undefined) found.text(value, `text for ${path.at(-1)}`);
  if (user && call.rest.length > 0) found.command(call.rest);
  else if (texts.length === 0) found.force(`${path.at(-1)} reads what it runs from its input`);
}

export function openFlock(call: Call, found: Findings): void {
  const [lock, ...rest] = call.rest;
  if (lock === undefined) return;
  if (!/^\d+$/.test(onlyValue(lock) ?? "")) found.file("write", lock, true);
  if (/^(?:-c|--command)$/.test(onlyValue(rest[0]) ?? "")) {
    if (rest[1] !== undefined) found.text(rest[1], "text for flock");
  } else if (rest.length > 0) found.command(rest);
}

/** Its file is the first operand; on some systems a command follows. */
export function openScript({ operands, options }: Call, found: Findings): void {
  const [file, ...rest] = operands;
  const logs = options.some(({ option }) => /^--log-/.test(option.name));
  if (file !== undefined) found.file("write", file, true);
  else if (!logs) found.file("write", literal("typescript"), true);
  if (rest.length > 0) found.command(rest);
  else if (!options.some(({ option }) => option.name === "--command")) found.force("script reads what it runs from its input");
}

export function openXargs(call: Call, found: Findings): void {
  const { options, rest, input } = call;
  const replace = options.find(({ option }) => option.name === "-I" || option.name === "--replace" || option.name === "-J");
  const placeholder = replace === undefined ? undefined : (onlyValue(replace.value) ?? "{}");
  if (call.unlisted.length > 0) found.force("an option of xargs that is not known");
  const given = onlyValue(input);
  // Words that are plain are told apart by blanks.
  const known =
    given !== undefined && /^[^'"\\]*$/.test(given) && !options.some(({ option }) => /^--(?:null|delimiter|eof)$|^-[EdI]$/.test(option.name));
  const hole: Word = known
    ? { text: "", static: false, values: given.split(/\s+/).filter((word) => word !== ""), spread: true, source: "{}" }
    : { text: "", static: false, many: true, source: "{}" };
  found.command(filled(rest.length === 0 ? [literal("echo")] : rest, placeholder, hole));
}

/** Its options are many, and a replacement string may stand anywhere: always asked about. */
export function openParallel({ words, input }: Call, found: Findings): void {
  const marks = words.findIndex((word) => /^:::/.test(word.text));
  let own = marks === -1 ? [...words] : words.slice(0, marks);
  while (own.length > 0 && /^-./.test(own[0]!.text)) {
    const text = own[0]!.text;
    own = own.slice(
      /^(?:-[jaNnIPSsLlCXE]|--(?:jobs|arg-file|max-args|colsep|joblog|results|tmpdir|workdir|wd|timeout|delay|retries|sshlogin|max-procs|halt|tag-string|delimiter|load|memfree|nice|shuf|env|block|recstart|recend|rpl))$/.test(
        text,
      )
        ? 2
        : 1,
    );
    if (/^(?:--joblog|--results)/.test(text)) found.force("what parallel is told to write");
  }
  if (own.length > 0) found.text(joined(own), "text for parallel");
  else if (input !== undefined) found.text(input, "text for parallel");
  else found.force("parallel reads what it runs from its input");
  if (own.length === 0) for (const word of words.slice(marks + 1)) found.text(word, "text for parallel");
}
