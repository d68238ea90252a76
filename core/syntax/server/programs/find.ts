import { leadOf, literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import type { Findings, Program } from "./program.ts";
import { filled } from "./wrapping.ts";

const find: Program = { does: "reads", special: openFind, runner: true };
const fd: Program = { does: "reads", special: openFd, runner: true };

/** Programs that find files and do something with each. */
export const finders: Readonly<Record<string, Program>> = { find, gfind: find, bfs: find, fd, fdfind: fd };

function openFind({ words }: Call, found: Findings): void {
  const first = words.findIndex((word) => /^(?:-(?!-?$)|[(!,]$)/.test(leadOf(word)) && !/^-[HLPXdEsxf]$|^-[DO]/.test(leadOf(word)));
  const leading = first === -1 ? words : words.slice(0, first);
  const starts = leading.filter((word) => !/^-/.test(leadOf(word)));
  for (const start of starts) found.file("read", start);
  const roots = starts.length === 0 ? [literal(".")] : starts;
  const expression = first === -1 ? [] : words.slice(first);
  for (let at = 0; at < expression.length; at++) {
    const word = expression[at]!;
    const name = onlyValue(word);
    if (name === undefined) {
      if (!/^-./.test(leadOf(expression[at - 1] ?? literal("")))) found.unclear(word);
    } else if (/^-(?:exec|execdir|ok|okdir)$/.test(name)) {
      const rest = expression.slice(at + 1);
      const end = rest.findIndex((each, index) => each.text === ";" || (each.text === "+" && rest[index - 1]?.text === "{}"));
      const inner = end === -1 ? rest : rest.slice(0, end);
      run(inner, roots, name.endsWith("dir"), found);
      at += inner.length;
    } else if (name === "-delete") for (const root of roots) found.file("write", root);
    else if (/^-(?:fprint0?|fprintf|fls)$/.test(name)) {
      if (expression[at + 1] !== undefined) found.file("write", expression[at + 1]!);
      at++;
    } else if (/^-(?:files0-from|newer\w*|samefile|anewer|cnewer)$/.test(name)) {
      if (expression[at + 1] !== undefined) found.file("read", expression[at + 1]!);
      at++;
    } else if (
      /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|regextype|type|xtype|perm|size|user|group|uid|gid|[acm]time|[acm]min|mindepth|maxdepth|fstype|links|inum|printf|used|context)$/.test(
        name,
      )
    )
      at++;
  }
}

/** Each file that is found lies below one of the roots. */
function run(inner: readonly Word[], roots: readonly Word[], inFolder: boolean, found: Findings): void {
  if (inner.length === 0) return;
  const [root] = roots;
  const text = onlyValue(root);
  const lead = roots.length === 1 && text !== undefined && !inFolder ? (text.endsWith("/") ? text : `${text}/`) : undefined;
  const hole: Word = {
    text: "{}",
    static: false,
    source: "{}",
    lead: inFolder ? "./" : (lead ?? ""),
    ...(lead !== undefined || inFolder ? { contained: true as const } : {}),
  };
  if (inFolder) for (const each of roots) found.folder(each);
  found.command(filled(inner, "{}", hole), inFolder ? { astray: true } : {});
}

function openFd({ words }: Call, found: Findings): void {
  const at = words.findIndex((word) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(word.text));
  if (at === -1) return;
  const rest = words.slice(at + 1);
  const end = rest.findIndex((word) => word.text === ";");
  const inner = end === -1 ? rest : rest.slice(0, end);
  const roots = words.slice(0, at).filter((word) => !/^-/.test(word.text));
  const root = roots.length > 1 ? onlyValue(roots.at(-1)) : ".";
  const hole: Word = {
    text: "{}",
    static: false,
    source: "{}",
    lead: root === undefined ? "" : `${root}/`,
    ...(root === undefined ? {} : { contained: true as const }),
  };
  const placed = inner.some((word) => /\{(?:\/|\/\/|\.|\/\.)?\}/.test(word.text));
  found.command(
    placed
      ? inner.map((word) => (/\{(?:\/|\/\/|\.|\/\.)?\}/.test(word.text) ? { ...hole, text: word.text, source: word.source } : word))
      : [...inner, hole],
  );
}
