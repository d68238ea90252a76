import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type IgnoreRules, isIgnored, rulesAbove, rulesOf } from "./ignore-rules.ts";
import type { Place } from "./place.ts";

/** Files that ripgrep reads rules from, in every folder. */
const NAMES = [".gitignore", ".ignore", ".rgignore"];
const OF_REPOSITORY = join("info", "exclude");

/** Milliseconds without output after which is looked for what it may be waiting for. */
const QUIET_MS = 700;

export type Attempt = {
  /** Whether ignore files are passed over. */
  ignored: boolean;
  /** The place, whose signal also ends an attempt that waits. */
  place: Place;
  /** To be called for each piece of output. */
  heard(): void;
};

export type Attempted<T> = {
  done: T;
  /** What is called as a file of rules is, and is no regular file: reading it could wait without an end, so no rules were read. */
  oddRules: string | null;
};

/**
 * Walks by the rules of ignore files, unless one of them is no regular file, as a FIFO, on whose first byte a walk would wait. One above the
 * place is seen before, one below it when nothing has come for a while: the walk is ended then, and made anew without rules.
 */
export async function walkByRules<T>(place: Place, ignored: boolean, walk: (attempt: Attempt) => Promise<T>): Promise<Attempted<T>> {
  const heardNothing = () => {};
  if (ignored) return { done: await walk({ ignored, place, heard: heardNothing }), oddRules: null };
  const starts = place.starts.map((start) => join(place.root, start));
  const above = starts.map(oddAbove).find((path) => path !== undefined);
  if (above !== undefined) return { done: await walk({ ignored: true, place, heard: heardNothing }), oddRules: above };

  const over = new AbortController();
  const stopped = new AbortController();
  let [isQuiet, looking] = [true, false];
  let oddRules: string | undefined;
  const timer = setInterval(async () => {
    if (!isQuiet || looking) {
      isQuiet = true;
      return;
    }
    looking = true;
    oddRules = await oddBelow(starts, over.signal).catch(() => undefined);
    if (oddRules !== undefined && !over.signal.aborted) stopped.abort();
  }, QUIET_MS);
  const heard = () => {
    isQuiet = false;
  };
  try {
    const done = await walk({ ignored, place: { ...place, signal: AbortSignal.any([place.signal, stopped.signal]) }, heard });
    if (!stopped.signal.aborted || oddRules === undefined) return { done, oddRules: null };
  } catch (error) {
    // What was ended before it had begun is made anew.
    if (!stopped.signal.aborted || place.signal.aborted) throw error;
  } finally {
    clearInterval(timer);
    over.abort();
  }
  return { done: await walk({ ignored: true, place, heard: heardNothing }), oddRules: oddRules ?? null };
}

function oddAbove(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const odd = oddIn(at);
    if (odd !== undefined || dirname(at) === at) return odd;
  }
}

/** Folders that are ignored are passed over, as the walk does. */
async function oddBelow(starts: readonly string[], over: AbortSignal): Promise<string | undefined> {
  const pending: { folder: string; rules: readonly IgnoreRules[] }[] = [];
  for (const folder of starts) pending.push({ folder, rules: await rulesAbove(folder) });
  for (let next = pending.pop(); next !== undefined && !over.aborted; next = pending.pop()) {
    const { folder, rules: above } = next;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const hasRules = entries.some(({ name }) => name === ".git" || NAMES.includes(name));
    const odd = hasRules ? oddIn(folder) : undefined;
    if (odd !== undefined) return odd;
    const rules = hasRules ? [...above, await rulesOf(folder)] : above;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== ".git" && !isIgnored(path, true, rules)) pending.push({ folder: path, rules });
    }
  }
  return undefined;
}

function oddIn(folder: string): string | undefined {
  return [...NAMES, join(".git", OF_REPOSITORY)].map((name) => join(folder, name)).find(isOdd);
}

/** A link is what it leads to. */
function isOdd(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && !stats.isFile() && !stats.isDirectory();
  } catch {
    return false;
  }
}
