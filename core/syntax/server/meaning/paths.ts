import type { File } from "../command.ts";
import { leadOf, valuesOf, type Word } from "../word.ts";

/** Files a word may name, from the folders that the shell may be in. */
export function pathsOf(word: Word, folders: readonly string[] | undefined): Pick<File, "text" | "paths" | "below"> {
  const values = valuesOf(word);
  const { text } = word;
  if (values !== undefined) return { text, paths: joinAll(values, folders) };
  if (word.contained !== true) return { text, paths: undefined };
  const lead = leadOf(word);
  const folder = lead.slice(0, lead.lastIndexOf("/") + 1);
  return { text, paths: joinAll([folder === "" ? "." : folder], folders), below: true };
}

const MAX_PATHS = 64;

function joinAll(values: readonly string[], folders: readonly string[] | undefined): string[] | undefined {
  const paths: string[] = [];
  for (const value of values) {
    if (value.startsWith("/")) paths.push(value);
    else if (folders === undefined) return undefined;
    else for (const folder of folders) paths.push(value === "" ? folder : `${folder.endsWith("/") ? folder : `${folder}/`}${value}`);
  }
  return paths.length > MAX_PATHS ? undefined : [...new Set(paths)];
}

/** Where `cd` leads from a folder: `..` goes back to where the shell came from, whatever links are in between. */
export function changed(folder: string, target: string): string {
  const parts: string[] = [];
  for (const part of (target.startsWith("/") ? target : `${folder}/${target}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
