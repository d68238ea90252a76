import { appendFile, readFile, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { sentence } from "../sdk/errors.ts";
import { makeFolder } from "./config/make-folder.ts";
import type { LogEntry } from "./host-types.ts";

/** A log file is begun anew past so many bytes; the one before is kept. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Entries that wait to be redacted and written; more are counted and dropped. */
const MAX_WAITING = 1_000;

const Entry = z.object({ at: z.string(), level: z.enum(["debug", "info", "warn", "error"]), plugin: z.nullable(z.string()), text: z.string() });

export type Logs = {
  write(level: LogEntry["level"], plugin: string | null, text: string): void;
  /** Words of the host's own, which hold no text of plugins or tools: they are kept as they are, also where a redactor fails. */
  say(level: LogEntry["level"], plugin: string | null, text: string): void;
  flush(): Promise<void>;
};

/**
 * Writes entries, one JSON object a line, after `clean` has taken secrets out of their texts.
 * @param file Undefined where nothing is kept; entries still reach `onEntry`.
 */
export function createLogs(
  file: string | undefined,
  clean: (texts: readonly string[]) => Promise<readonly string[]>,
  onEntry?: (entry: LogEntry) => void,
): Logs {
  let waiting: (LogEntry & { own: boolean })[] = [];
  let dropped = 0;
  let writing: Promise<void> = Promise.resolve();

  const drain = async () => {
    const batch = waiting;
    waiting = [];
    if (dropped > 0) batch.push({ ...entryOf("warn", null, `${dropped} log entries were dropped`), own: true });
    dropped = 0;
    if (batch.length === 0) return;
    const foreign = batch.filter(({ own }) => !own);
    const texts = foreign.length === 0 ? [] : await clean(foreign.map(({ text }) => text)).catch(() => []);
    const cleaned = new Map(foreign.map((entry, i) => [entry, texts[i] ?? sentence("withheld")]));
    const entries = batch.map((entry) => {
      const { own: _, ...shown } = entry;
      return { ...shown, text: cleaned.get(entry) ?? entry.text };
    });
    for (const entry of entries) tell(entry);
    if (file !== undefined) await append(file, entries).catch(() => {});
  };

  const tell = (entry: LogEntry) => {
    try {
      onEntry?.(entry);
    } catch {
      // A listener that fails keeps no entry out of the file.
    }
  };

  const add = (entry: LogEntry, own: boolean) => {
    if (waiting.length >= MAX_WAITING) dropped++;
    else waiting.push({ ...entry, own });
    writing = writing.then(drain);
  };

  return {
    write: (level, plugin, text) => add(entryOf(level, plugin, text), false),
    say: (level, plugin, text) => add(entryOf(level, plugin, text), true),
    flush: () => writing,
  };
}

function entryOf(level: LogEntry["level"], plugin: string | null, text: string): LogEntry {
  return { at: new Date().toISOString(), level, plugin, text };
}

/** The entries of a log file, oldest first; lines that are no entries are passed over. */
export async function readLogs(file: string): Promise<LogEntry[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    try {
      const entry = Entry.safeParse(JSON.parse(line));
      return entry.success ? [entry.data] : [];
    } catch {
      return [];
    }
  });
}

async function append(file: string, entries: readonly LogEntry[]): Promise<void> {
  await makeFolder(dirname(file));
  const size = await stat(file).then(
    (info) => info.size,
    () => 0,
  );
  if (size > MAX_BYTES) await rename(file, `${file}.1`).catch(() => {});
  await appendFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: 0o600 });
}
