import { sep } from "node:path";
import { createGlob, splitGlob } from "../capabilities/fs/glob.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";

/** Paths by a pattern with a star elsewhere than at its end: `folder` is what stands before it. `fits` takes a path that is canonical. */
export type PathGlob = { folder: string; how: "glob"; fits(path: string): boolean };

const MAX_GLOBS = 1_000;
type Matcher = (path: string) => boolean;
const looked = new Map<string, boolean>();
const splits = new Map<string, { folder: string; glob: string }>();
const globs = new Map<string, readonly [Matcher, Matcher]>();

/** Whether a rule's text is such a pattern, as a `**` before a name, or `*.pem`. */
export function isPathGlob(text: string): boolean {
  return kept(looked, text, looksLikeGlob);
}

function looksLikeGlob(text: string): boolean {
  if (/\s\*|\*\s/.test(text) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false;
  const parts = text.split("/");
  return parts.slice(0, -1).some((part) => part.includes("*")) || /\*[^*]/.test(parts.at(-1) ?? "");
}

/** `canonical` resolves the folder; undefined where it cannot, or where the pattern has too many alternatives. */
export function pathGlob(text: string, canonical: (path: string) => string | undefined, fold: (path: string) => string): PathGlob | undefined {
  const { folder: before, glob } = kept(splits, text, splitGlob);
  const folder = canonical(before === "" ? "." : before);
  if (folder === undefined) return undefined;
  try {
    const fits = kept(globs, fold(glob), (pattern): readonly [Matcher, Matcher] => [createGlob(pattern), createGlob(literal(pattern))]);
    return {
      folder,
      how: "glob",
      fits(path) {
        if (path === folder || !isInside(path, folder)) return false;
        const rest = path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1).replaceAll(sep, "/");
        return fits[0](rest) || fits[1](literal(rest));
      },
    };
  } catch {
    return undefined;
  }
}

/** Only stars stand for something then: names as `[id]` are there too. */
function literal(text: string): string {
  return text.replace(/[?[\]{}]/g, (char) => String.fromCodePoint(0xf0000 + char.charCodeAt(0)));
}

/** Every decision tries the same patterns. */
function kept<T>(known: Map<string, T>, text: string, make: (text: string) => T): T {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MAX_GLOBS) known.clear();
  const made = make(text);
  known.set(text, made);
  return made;
}
