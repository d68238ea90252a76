import { baseName, literal, onlyValue, type Word } from "../word.ts";
import { type Call, isDescriptor, isInputFile } from "./call.ts";
import type { Findings, Program } from "./program.ts";

const shell: Program = { does: "runs", runner: true, special: openShell };

/** They read text after `-c`, else a file, else their input. */
export const shells: Readonly<Record<string, Program>> = Object.fromEntries(
  "sh bash dash zsh ksh ksh93 mksh ash rbash rzsh rksh fish csh tcsh yash posh elvish nu xonsh oil osh ion murex hush"
    .split(" ")
    .map((name) => [name, shell]),
);

/** Options that take the next word. */
const valued = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file", "--init-command", "-C", "--command"]);

export function openShell({ path, words, input }: Call, found: Findings): void {
  const name = baseName(path.at(-1)!);
  let given = false;
  let reads = false;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const text = onlyValue(word);
    if (text === undefined && (word.lead ?? "") === "" && word.values === undefined) {
      found.force(`an option of ${name} that is not known`);
      for (const each of words.slice(at)) found.text(each, `text for ${name}`);
      return;
    }
    const option = text ?? word.lead ?? "";
    if (option === "--" || option === "-") {
      at++;
      break;
    }
    if (!/^[-+]./.test(option)) break;
    if (option === "--version" || option === "--help") {
      found.does("reads");
      return;
    }
    const glued = /^--(?:init-command|command)=(.*)$/s.exec(option);
    if (glued !== null) found.text({ ...word, text: glued[1]! }, `text for ${name}`);
    if (option === "--init-command" || option === "-C" || (option === "--command" && name !== "bash"))
      found.text(words[at + 1] ?? literal(""), `text for ${name}`);
    if (valued.has(option) || /^[-+][a-zA-Z]*[oO]$/.test(option)) at++;
    if (/^-[a-zA-Z]*c/.test(option)) given = true;
    if (/^-[a-zA-Z]*s/.test(option)) reads = true;
  }
  const operand = words[at];
  if (given) found.text(operand ?? literal(""), `text for ${name}`, { args: words.slice(at + 2) });
  else if (operand !== undefined && !reads && !isInputFile(operand)) {
    found.does("runs");
    if (isDescriptor(operand)) found.force(`what ${name} reads from a descriptor`);
    found.file("read", operand);
  } else if (input !== undefined) found.text(input, `text for ${name}`, { args: words.slice(reads ? at : at + 1) });
  else found.force(`${name} reads what it runs from its input`);
}

/** `trap TEXT SIGNAL ...`: the text runs later, in this shell. */
export function openTrap({ words }: Call, found: Findings): void {
  const [handler, ...signals]: (Word | undefined)[] = words[0]?.text === "--" ? words.slice(1) : [...words];
  if (handler !== undefined && signals.length > 0 && !(handler.static && /^(?:-|$)/.test(handler.text))) found.text(handler, "text for trap");
}
