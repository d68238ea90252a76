import { createGlob, expandBraces } from "../fs/glob.ts";

/** Files that are larger are left out: a line of theirs may have to be held as a whole. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

export type SearchRequest = {
  pattern: string;
  literal: boolean;
  letterCase: "sensitive" | "insensitive" | "smart";
  /** Left to what the pattern says where it is undefined. */
  multiline: boolean | undefined;
  before: number;
  after: number;
  output: "lines" | "files" | "counts";
  maxLineChars: number;
};

/** What says how to search. What the caller wrote stands behind a `=`, so that it is never taken for an option. */
export function searchArguments(request: SearchRequest): string[] {
  const { pattern, literal, letterCase, before, after, output, maxLineChars } = request;
  return [
    ...(literal ? ["--fixed-strings"] : []),
    letterCase === "sensitive" ? "--case-sensitive" : letterCase === "smart" ? "--smart-case" : "--ignore-case",
    ...(isMultiline(request) ? ["--multiline"] : []),
    // A dollar stands before the line ends of every system.
    ...(!literal && pattern.includes("$") ? ["--crlf"] : []),
    "--null",
    `--max-filesize=${MAX_FILE_BYTES}`,
    ...(output === "files" ? ["--files-with-matches"] : []),
    ...(output === "counts" ? ["--count", "--with-filename"] : []),
    ...(output === "lines"
      ? [
          "--heading",
          "--with-filename",
          "--line-number",
          "--field-match-separator=: ",
          "--field-context-separator=  ",
          "--context-separator=--",
          `--before-context=${before}`,
          `--after-context=${after}`,
          `--max-columns=${maxLineChars}`,
          "--max-columns-preview",
        ]
      : []),
    `--regexp=${pattern}`,
  ];
}

/** Whether a match may go over line ends. */
export function isMultiline({ multiline, literal, pattern }: Pick<SearchRequest, "multiline" | "literal" | "pattern">): boolean {
  return multiline ?? (pattern.includes("\n") || (!literal && /\\n|\(\?[a-zA-Z]*[sm]/.test(pattern)));
}

/** Which files are looked at: those with a dot in front too, none of `.git`, and by the rules about ignored files unless said. */
export function walkArguments({ ignored, root, ignoreFile }: { ignored: boolean; root: string; ignoreFile?: string | undefined }): string[] {
  return [
    "--hidden",
    "--no-require-git",
    // What is ignored is said by the project alone.
    "--no-ignore-global",
    ...(ignored ? ["--no-ignore"] : []),
    "--glob=!.git",
    // Files of the system that never end, or hold nothing.
    ...(root === "/" ? ["--glob=!/proc", "--glob=!/sys"] : []),
    ...(ignoreFile === undefined ? [] : [`--ignore-file=${ignoreFile}`]),
  ];
}

/** Whether a path, relative to the folder searched, is one of those asked for. A pattern without a slash is about names, one with `!` in front leaves out. */
export function createInclude(patterns: readonly string[]): (path: string) => boolean {
  const { wanted, unwanted } = sorted(patterns);
  const [takes, leaves] = [wanted, unwanted].map((list) =>
    list.map((pattern) => createGlob(pattern.includes("/") ? anchored(pattern) : `**/${pattern}`)),
  );
  return (path) => (wanted.length === 0 || takes!.some((fits) => fits(path))) && !leaves!.some((fits) => fits(path));
}

/**
 * The same for ripgrep, as rules that ignore all else: unlike its own globs they bring back nothing that is ignored.
 * They may let more through than was asked for. Undefined where everything is.
 */
export function includeRules(patterns: readonly string[]): string | undefined {
  const { wanted } = sorted(patterns);
  if (wanted.length === 0) return undefined;
  const lines = wanted.flatMap(expandBraces).map((pattern) => {
    const rule = pattern.includes("/") ? `/${anchored(pattern)}` : pattern;
    // What would be read in another way stands for any character.
    return `!${rule.replace(/[\\\n\r]|\s$/g, "?")}`;
  });
  return ["*", "!*/", ...lines, ""].join("\n");
}

function sorted(patterns: readonly string[]): { wanted: string[]; unwanted: string[] } {
  const isUnwanted = (pattern: string) => pattern.startsWith("!") && pattern.length > 1;
  return {
    wanted: patterns.filter((pattern) => !isUnwanted(pattern)),
    unwanted: patterns.filter(isUnwanted).map((pattern) => pattern.slice(1)),
  };
}

function anchored(pattern: string): string {
  return pattern.replace(/^(\.?\/)+/, "");
}
