import { sep } from "node:path";
import { createGlob, splitGlob } from "../capabilities/fs/glob.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";

/** Paths by a pattern with a star elsewhere than at its end: `folder` is what stands before it. `fits` takes a path that is canonical. */
export type PathGlob = { folder: string; how: "glob"; fits(path: string): boolean };

const MAX_GLOBS = 1_000;
const looked = new Map<string, boolean>();

/** Whether a rule's text is such a pattern, as a `**` before a name, or `*.pem`. */
export function isPathGlob(text: string): boolean {
  const before = looked.get(text);
  if (before !== undefined) return before;
  if (looked.size >= MAX_GLOBS) looked.clear();
  const is = looksLikeGlob(text);
  looked.set(text, is);
  return is;
}

function looksLikeGlob(text: string): boolean {
  if (/\s\*|\*\s/.test(text) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false;
  const parts = text.split("/");
  return parts.slice(0, -1).some((part) => part.includes("*")) || /\*[^*]/.test(parts.at(-1) ?? "");
}

/** `canonical` resolves the folder; undefined where it cannot, or where the pattern has too many alternatives. */
export function pathGlob(text: string, canonical: (path: string) => string | undefined, fold: (path: string) => string): PathGlob | undefined {
  const { folder: before, glob } = splitGlob(text);
  const folder = canonical(before === "" ? "." : before);
  if (folder === undefined) return undefined;
  try {
    const fits = [globOf(fold(glob)), globOf(literal(fold(glob)))] as const;
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

const globs = new Map<string, (path: string) => boolean>();

/** Every decision tries the same patterns. */
function globOf(pattern: string): (path: string) => boolean {
  const before = globs.get(pattern);
  if (before !== undefined) return before;
  if (globs.size >= MAX_GLOBS) globs.clear();
  const made = createGlob(pattern);
  globs.set(pattern, made);
  return made;
}
