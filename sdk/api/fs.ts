export type FileStat = {
  type: "file" | "folder" | "other";
  bytes: number;
  mtimeMs: number;
  /** Another one once the file was changed or replaced, for `write`. */
  version: string;
};
export type SearchRequest = {
  /** A regular expression as ripgrep reads it, or the text itself with `literal`. */
  pattern: string;
  /** A file, or a folder and all in it; the working directory unless said. */
  path?: string;
  /** Globs of files to search, about names or, with a `/`, about paths below `path`; one with `!` in front leaves out. */
  include?: string | readonly string[];
  literal?: boolean;
  /** `sensitive` unless said; `smart` where a pattern without capitals is to find both. */
  letterCase?: "sensitive" | "insensitive" | "smart";
  /** Whether a match may go over line ends. Unless said, where the pattern names one or holds `(?s)` or `(?m)`. */
  multiline?: boolean;
  /** Lines shown before and after each that matches. */
  before?: number;
  after?: number;
  /** `lines` unless said. */
  output?: "lines" | "files" | "counts";
  /** Search ignored files too. */
  ignored?: boolean;
  /** Lines that match, or files where no lines are asked for: 1000 unless said. */
  limit?: number;
  /** Bytes of text: 1 MB unless said, 16 MB at most. */
  maxBytes?: number;
  /** Characters of one line: 500 unless said. */
  maxLineChars?: number;
  /** Show control characters, but tab and line end, as pictures: \u241b for escape. */
  pictures?: boolean;
  /** In a tool: leave the text with the host, which is faster where it is long. The result names it in `held`, for that of the tool. */
  hold?: boolean;
};

export type SearchResult = {
  /** Files that match, the newest first, as many as `limit` and `maxBytes` let through; `matches` counts their lines. Paths are relative where they lie in the working directory. Beside lines, the first 1000 of them. */
  files: { path: string; matches: number }[];
  shownFiles: number;
  /**
   * The same as text. For `lines` a path with a colon, then `12: text` for a line that matches, `13  text` for one around it and `--` between groups,
   * and an empty line between files; else a line for each file.
   */
  text: string;
  /** The text is with the host, and `text` and `files` are empty. Not there where there is none, nor where the host holds too much of this call already. */
  held?: string;
  shownMatches: number;
  /** Of all that was found; where files alone are asked for nothing is counted. */
  totalFiles: number;
  totalMatches: number;
  /** Files that were not searched since they hold secrets or rules say so: each has to be named. */
  leftOut: number;
  /** Files that could not be read, and what the system said of the first. */
  unreadable: number;
  unreadableReason: string | null;
  /** Files among those shown where the search stopped at bytes that are no text. */
  binary: number;
  /** Whether bytes that are no UTF-8 were replaced in the text. */
  invalid: boolean;
  /** Whether there are pictures in it for control characters. */
  pictured: boolean;
  /** A FIFO or the like that is called as a file of rules about what is ignored: no rules were read. */
  oddRules?: string;
  /** Why it ended: with anything but `done` there may be more. */
  ended: "done" | "timeout" | "cancelled" | "output";
};

export type FoundFiles = {
  /** The newest first; relative where they lie in the working directory. */
  files: string[];
  /** Whether there are more than `limit`. */
  more: boolean;
  /** Files that fit and that rules deny. */
  leftOut: number;
  /** Folders that could not be opened. */
  unreadable: number;
  /** A FIFO or the like that is called as a file of rules about what is ignored: no rules were read. */
  oddRules?: string;
  ended: "done" | "timeout" | "cancelled" | "output";
};

export type WalkedEntry = {
  name: string;
  /** Below the folder that was walked, with `/`. */
  path: string;
  /** 1 for an entry of the folder itself. */
  depth: number;
  type: "file" | "folder" | "link" | "other";
  /** Of a file. */
  bytes: number;
  /** What a link says. */
  target?: string;
  /** Of a folder: entries that were too many to be given. */
  more: number;
  /** Of a folder: it has so many entries that not all were looked at. */
  cut?: boolean;
  /** Of a folder: it could not be opened. Of a file: its size cannot be told. */
  unreadable?: boolean;
};

export type WalkedFolder = {
  /** Each folder before what is in it; in each, folders before files. */
  entries: WalkedEntry[];
  more: number;
  cut: boolean;
  /** Entries given, those that are ignored, and those that rules deny. */
  total: number;
  ignored: number;
  leftOut: number;
  ended: "done" | "cancelled";
};

export type Window = {
  /** Lines from `offset`, without their line ends. */
  lines: string[];
  /** Lines of the whole file. */
  totalLines: number;
  bytes: number;
  /** `binary` where the file holds no text. */
  encoding: "utf-8" | "utf-8-bom" | "binary";
  /** Whether bytes that are no UTF-8 were replaced. */
  invalid: boolean;
};

export type Fs = {
  fs_read: {
    /** The text of a file. 16 MB at most; a missing file, a folder or text that is no UTF-8 is an error. */
    read(path: string): Promise<string>;
    /** A window of a file's lines, read without loading the whole into the isolate. `offset` counts from 1; lines longer than `maxLineChars` are cut, and begin at `column`, counted from 1, where that is given. */
    readWindow(path: string, window: { offset?: number; limit?: number; column?: number; maxLineChars?: number }): Promise<Window>;
    /** Bytes of a file as base64: the whole, or `length` of them from `offset`. 16 MB at most. */
    readBytes(path: string, part?: { offset?: number; length?: number }): Promise<string>;
    stat(path: string): Promise<FileStat | undefined>;
    list(path: string): Promise<{ name: string; type: FileStat["type"] }[]>;
    /** Files that match, as absolute paths in order: `*`, `**`, `?`, `[a-z]`, `{a,b}`. Links are not followed; `.git` and `node_modules` are left out unless named. 1000 at most unless said. */
    glob(pattern: string, options?: { cwd?: string; limit?: number }): Promise<string[]>;
    /** Searches what files hold. `.git`, ignored files and, unless they are named, files that hold secrets are left out; links are not followed. */
    search(request: SearchRequest): Promise<SearchResult>;
    /** Files that fit a glob, the newest first; `.git` and ignored files are left out. 1000 at most unless said. */
    find(pattern: string, options?: { path?: string; ignored?: boolean; limit?: number }): Promise<FoundFiles>;
    /** The entries of a folder, and with `depth` of those below it; `.git` and ignored ones are left out. 1000 at most unless said. */
    walk(path: string, options?: { depth?: number; ignored?: boolean; limit?: number }): Promise<WalkedFolder>;
    realpath(path: string): Promise<string>;
    cwd(): Promise<string>;
    /** The project's folder and whether a person trusts it as it is now, the user's Mortise folder, and their home. */
    places(): Promise<{ project: string; trusted: boolean; user: string; home: string }>;
  };
  fs_write: {
    /** Replaces the file at once, or makes it; its folder has to be there. `.mortise` and the user's Mortise folders are never written. */
    write(
      path: string,
      text: string,
      /** Only over this version of the file, or with null only where nothing is: else `stale_file`, and nothing is written. */
      options?: { ifVersion?: string | null },
    ): Promise<void>;
    append(path: string, text: string): Promise<void>;
    /** Makes the folder and those above it. */
    mkdir(path: string): Promise<void>;
    remove(path: string, options?: { recursive?: boolean }): Promise<void>;
  };
};
