import { shownPath } from "../files/shown-path.ts";

/** What is asked of the plugin API. */
export type InstructionsApi = {
  readonly fs: { realpath(path: string): Promise<string>; stat(path: string): Promise<{ type: string } | undefined> };
  readonly tools: { call(name: string, input: Record<string, string | number>): Promise<{ text: string; isError: boolean }> };
};

export type Claimed = {
  /** Empty where there are none. */
  text: string;
  /** Makes them unseen again, where they were not shown after all. */
  release(): void;
};

export type Instructions = {
  /** The instruction files of the folders below the working directory, down to the file's own, that the session did not see yet. The outermost come first. */
  claim(path: string, sessionId: string): Promise<Claimed>;
  /** They will be shown anew. */
  forget(sessionId: string): void;
};

/** The first of these that a folder has. */
const NAMES = ["AGENTS.md", "CLAUDE.md"];
const MAX_SESSIONS = 64;
const MAX_FOLDERS = 24;
/** Of one file, and of all that are shown with one result. */
const limits = { lines: 150, chars: 6_000, allChars: 12_000 };

/**
 * Keeps which instruction files a session saw. Those of the working directory itself are not its concern: an agent is given them from the start.
 * They are read through the host, by the rules for any other read.
 */
export function createInstructions(api: InstructionsApi): Instructions {
  const sessions = new Map<string, Set<string>>();

  const seenBy = (sessionId: string): Set<string> => {
    const seen = sessions.get(sessionId) ?? new Set();
    sessions.delete(sessionId);
    sessions.set(sessionId, seen);
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return seen;
  };

  const find = async (folder: string, root: string): Promise<string | undefined> => {
    for (const name of NAMES) {
      const path = `${folder}/${name}`;
      const stat = await api.fs.stat(path).catch(() => undefined);
      // One that a link brings in from elsewhere is not the project's.
      if (stat?.type === "file" && isBelow(await api.fs.realpath(path), root)) return path;
    }
    return undefined;
  };

  const show = async (path: string, root: string): Promise<string> => {
    const { text, isError } = await api.tools.call("read", { path, limit: limits.lines + 1 });
    if (isError) return "";
    const name = path.slice(prefixOf(root).length);
    const { body, isCut } = cut(text.split("\n").flatMap((line) => /^\d+: (.*)$/.exec(line)?.[1] ?? []));
    const rest = isCut ? `\n[cut here; read ${shownPath(name)} for the rest]` : "";
    return `[Instructions for ${shownPath(name.slice(0, name.lastIndexOf("/")))}, from ${shownPath(name)}]\n${body}${rest}`;
  };

  return {
    async claim(path, sessionId) {
      // A name alone is in the working directory itself.
      if (!path.includes("/")) return nothing;
      const places = await Promise.all([api.fs.realpath("."), api.fs.realpath(path)]).catch(() => undefined);
      if (places === undefined) return nothing;
      const [root, file] = places;
      const seen = seenBy(sessionId);
      const claimed = foldersTo(file, root).filter((folder) => !seen.has(folder));
      for (const folder of claimed) seen.add(folder);
      const paths = await Promise.all(claimed.map((folder) => find(folder, root).catch(() => undefined)));
      const texts: string[] = [];
      let chars = 0;
      for (const each of paths) {
        if (each === undefined || each === file || chars > limits.allChars - limits.chars) continue;
        const text = await show(each, root).catch(() => "");
        if (text !== "") texts.push(text);
        chars += text.length;
      }
      return {
        text: texts.join("\n\n"),
        release: () => {
          for (const folder of claimed) seen.delete(folder);
        },
      };
    },
    forget: (sessionId) => void sessions.delete(sessionId),
  };
}

/** What there is where none are looked for. */
export const nothing: Claimed = { text: "", release: () => {} };

/** The folders below `root` that a file is in, the outermost first. Both are canonical. */
function foldersTo(file: string, root: string): string[] {
  if (!isBelow(file, root)) return [];
  const parts = file.slice(prefixOf(root).length).split("/").slice(0, -1);
  return parts.map((_, index) => prefixOf(root) + parts.slice(0, index + 1).join("/")).slice(0, MAX_FOLDERS);
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(prefixOf(root));
}

function prefixOf(root: string): string {
  return root === "/" ? root : `${root}/`;
}

/** Whole lines, as many as are shown. */
function cut(lines: readonly string[]): { body: string; isCut: boolean } {
  let chars = 0;
  const kept = lines.slice(0, limits.lines).findIndex((line) => {
    chars += line.length + 1;
    return chars > limits.chars;
  });
  const count = kept === -1 ? Math.min(lines.length, limits.lines) : kept;
  return { body: lines.slice(0, count).join("\n"), isCut: count < lines.length };
}
