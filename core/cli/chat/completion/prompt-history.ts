import { readFileSync } from "node:fs";
import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Folders } from "../../../config/folders.ts";
import { withLock } from "../../../config/lock.ts";
import { makeFolder } from "../../../config/make-folder.ts";
import { createClean } from "../../../models/clean-text.ts";

/** What was typed before, oldest first. */
export type PromptHistory = {
  lines(): string[];
  /** Keeps a prompt, for this chat at once and for later ones in the file. Never rejects: what cannot be written is forgotten with the chat. */
  add(text: string): Promise<void>;
  /** Waits a moment for what is being written, for a program that ends. */
  saved(): Promise<void>;
};

const MOST_LINES = 1_000;
const MOST_CHARS = 10_000;
/** The file is made shorter once it is larger. */
const MOST_BYTES = 1024 * 1024;

const SAVE_MS = 2_000;

const Line = z.string();

/**
 * The prompts of all chats of a user, one JSON string a line, in `<state>/prompts.jsonl` (0600). Chats that are open at once add to it without harm.
 * Values of secret variables, and what looks like a key, are not kept.
 */
export function openPromptHistory(folders: Pick<Folders, "state">, environment: NodeJS.ProcessEnv = process.env): PromptHistory {
  const file = join(folders.state, "prompts.jsonl");
  const clean = createClean(environment);
  let kept = linesOf(textOf(file));
  let writing: Promise<void> = Promise.resolve();
  return {
    lines: () => [...kept],
    add(text) {
      const line = clean(text).slice(0, MOST_CHARS).toWellFormed();
      if (line.trim() === "" || line === kept.at(-1)) return writing;
      kept = [...kept, line].slice(-MOST_LINES);
      writing = writing.then(() => write(folders.state, file, line)).catch(() => {});
      return writing;
    },
    saved: () => Promise.race([writing, new Promise<void>((resolve) => setTimeout(resolve, SAVE_MS).unref())]),
  };
}

async function write(folder: string, file: string, line: string): Promise<void> {
  await makeFolder(folder);
  await withLock(file, async () => {
    const before = textOf(file);
    // A line that a crash cut off does not take the next one with it.
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    await appendFile(file, `${gap}${JSON.stringify(line)}\n`, { mode: 0o600 });
    const { size } = await stat(file);
    if (size <= MOST_BYTES) return;
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(file, shortened(linesOf(textOf(file))), { mode: 0o600 });
  });
}

/** The newest lines, half of the room at most. */
function shortened(lines: readonly string[]): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const line of lines.toReversed()) {
    const text = `${JSON.stringify(line)}\n`;
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_BYTES / 2) break;
    texts.unshift(text);
  }
  return texts.join("");
}

/** Bounded by what is written. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Lines that are no JSON strings are passed over. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").flatMap((line) => {
    try {
      const parsed = Line.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
  return lines.slice(-MOST_LINES);
}
