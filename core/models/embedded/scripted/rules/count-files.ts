import { type Asked, counted, type Done, failed, type Reply, type Rule, resultsOf } from "../rule.ts";
import { filesMeant, folderMeant } from "./languages.ts";

const MOST = 10_000;
const SHOWN = 20;
const QUESTION = /\bhow many\s+(?<kind>[^?]*?)\s*\bfiles?\b(?<rest>[^?]*)|\b(?:count|number of)\s+(?<kind2>[^?]*?)\s*\bfiles?\b(?<rest2>[^?]*)/i;
const LIST = /\b(?:list|show|find|which|what)\s+(?:me\s+)?(?:are\s+)?(?<kind>[^?]*?)\s*\bfiles\b(?<rest>[^?]*)/i;
const WHERE = /\b(?:where\s+is|where's|find|locate)\s+(?:the\s+)?(?:file\s+)?["'`]?(?<name>[\w.@-]*[\w-]\.[a-z]\w{0,9})["'`]?/i;

export const countFiles: Rule = {
  name: "count-files",
  example: "How many TypeScript files are here?",
  needs: ["glob"],
  answer: (asked) => {
    const groups = QUESTION.exec(asked.text)?.groups;
    return groups && answer(asked, groups.kind ?? groups.kind2 ?? "", groups.rest ?? groups.rest2 ?? "", total);
  },
};

export const listFiles: Rule = {
  name: "list-files",
  example: "List the Markdown files",
  needs: ["glob"],
  answer: (asked) => {
    const groups = LIST.exec(asked.text)?.groups;
    return groups && answer(asked, groups.kind ?? "", groups.rest ?? "", listing);
  },
};

export const findFile: Rule = {
  name: "find-file",
  example: "Where is index.ts?",
  needs: ["glob"],
  answer: (asked) => {
    const name = WHERE.exec(asked.text)?.groups?.name;
    return name === undefined ? undefined : found(asked, `**/${name}`, ".", `\`${name}\` `, listing);
  },
};

function answer(asked: Asked, kind: string, rest: string, say: (found: Found, name: string, where: string) => string): Reply | undefined {
  const meant = filesMeant(kind);
  if (meant === undefined) return undefined;
  return found(asked, meant.glob, folderMeant(rest), meant.name, say);
}

function found(asked: Asked, pattern: string, path: string, name: string, say: (found: Found, name: string, where: string) => string): Reply {
  const [result] = resultsOf(asked, "glob");
  if (result === undefined) return { text: "I look for them.", calls: [{ tool: "glob", input: { pattern, path, limit: MOST } }] };
  if (result.isError) return failed(result);
  return { text: say(foundIn(result), name, path === "." ? "here" : `in \`${path}\``) };
}

type Found = { files: string[]; total: number; isMore: boolean; notes: string };

/** The files of a result. What the host left out in its middle is counted by the lines that it says. */
function foundIn({ text }: Done): Found {
  const lines = text.split("\n").filter((line) => line !== "");
  const isNote = (line: string) => line.startsWith("[") && line.endsWith("]");
  const files = lines.filter((line) => !isNote(line));
  const notes = lines.filter(isNote).join(" ");
  const left = Number(/\[(\d+) lines, \d+ bytes left out/.exec(notes)?.[1] ?? 0);
  return { files, total: files.length + left, isMore: /there are more|may be more/.test(notes), notes };
}

function total({ total: all, isMore, files }: Found, name: string, where: string): string {
  const examples = files.slice(0, 5).map((file) => `\`${file}\``);
  const most = isMore ? "at least " : "";
  if (all === 0) return `There are no ${name}files ${where}.`;
  return `There ${all === 1 ? "is" : "are"} ${most}**${counted(all, `${name}file`)}** ${where}${all > 5 ? ", the newest of them" : ""}: ${examples.join(", ")}.`;
}

function listing({ files, total: all, isMore }: Found, name: string, where: string): string {
  if (all === 0) return `There are no ${name}files ${where}.`;
  const rest = all - Math.min(all, SHOWN);
  const more = rest === 0 ? [] : [`- and ${isMore ? "at least " : ""}${rest} more`];
  return [
    `${isMore ? "At least " : ""}${counted(all, `${name}file`)} ${where}, the newest first:`,
    "",
    ...files.slice(0, SHOWN).map((file) => `- \`${file}\``),
    ...more,
  ].join("\n");
}
