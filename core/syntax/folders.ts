import { opendirSync, statSync } from "node:fs";
import { posix } from "node:path";

const MAX_NAMED = 32;
const MAX_LOOKED = 128;

/**
 * Folders that `cd` and `pushd` name in a text and that are there, as the shell would name them: it gets into these for certain.
 * Only what is plain to see is looked up; more may be named.
 */
export function foldersNamed(text: string, cwd: string, home: string): string[] {
  if (!/\b(?:cd|pushd)\b/.test(text)) return [];
  const reached = new Set([posix.normalize(cwd)]);
  const found = new Set<string>();
  let looked = 0;
  let named = 0;
  for (const [, word = ""] of text.matchAll(NAMED)) {
    if (++named > MAX_NAMED) break;
    const target = word.replace(/^["']|["']$/g, "").replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, home);
    if (/[$`*?[{~\\]/.test(target.replace(/^\$(?:PWD|\{PWD\})(?=\/|$)/, ""))) continue;
    for (const from of [...reached]) {
      const folder = posix.resolve(from, target.replace(/^\$(?:PWD|\{PWD\})(?=\/|$)/, "."));
      if (found.has(folder)) continue;
      if (++looked > MAX_LOOKED) return [...found];
      if (!isFolder(folder)) continue;
      found.add(folder);
      reached.add(folder);
    }
  }
  return [...found];
}

const NAMED = /\b(?:cd|pushd)[ \t]+(?:--[ \t]+)?("[^"`\\\n]*"|'[^'\n]*'|[^\s;&|()<>"'`]+)/g;

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

const MAX_NAMES = 4_000;

/** Whether no name in the folder begins with a dash, so that no glob in it makes an option. False where it has too many to look at. */
export function hasPlainNames(folder: string): boolean {
  try {
    using names = opendirSync(folder, { bufferSize: 256 });
    for (let seen = 0; seen < MAX_NAMES; seen++) {
      const entry = names.readSync();
      if (entry === null) return true;
      if (entry.name.startsWith("-")) return false;
    }
  } catch {
    // What cannot be read is not known.
  }
  return false;
}
