import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { SearchResult } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { cutAtWord } from "../../output/cut-at-word.ts";
import { fileFailed } from "../fs/file-failed.ts";
import { holdFolder, openFile } from "../fs/opened.ts";
import { cutBlock } from "./block-text.ts";
import { timeOf } from "./file-times.ts";
import { countLeftOut, createPaths, type LeftOut } from "./left-out.ts";
import { type Block, createMatchBlocks, NO_LINES } from "./match-blocks.ts";
import { createNewestBlocks, type NewestBlocks } from "./newest-blocks.ts";
import { walkByRules } from "./odd-ignore-files.ts";
import { pictured } from "./pictured.ts";
import { endOf, type Place } from "./place.ts";
import type { Ripgrep, RipgrepResult } from "./ripgrep.ts";
import { createInclude, includeRules, MAX_FILE_BYTES, type SearchRequest, searchArguments, walkArguments } from "./ripgrep-arguments.ts";
import { below, givenPath, oneLine } from "./shown-path.ts";
import type { SmallTrees } from "./small-tree.ts";

export type SearchOptions = SearchRequest & {
  include: readonly string[];
  ignored: boolean;
  /** Matching lines that are given, or files. */
  limit: number;
  /** Bytes of text that are given. */
  maxBytes: number;
  /** Whether control characters are shown as pictures. */
  pictures: boolean;
};

/** What was found, its text in parts: to put them together takes its time where they are megabytes. */
export type FoundText = Omit<SearchResult, "text" | "held"> & { parts: string[] };

export type Searching = { ripgrep: Ripgrep; trees: SmallTrees; leftOut: LeftOut; secretNames: readonly string[] };

/** Bytes of output that are read of one search. */
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
/** Milliseconds of work between two looks at what else the process has to do. */
const SLICE_MS = 10;

/**
 * Searches a file or the files of a folder, the newest first. What was found before the signal was aborted is kept.
 * Throws `bad_pattern` for what is no regular expression, and `file_failed`.
 */
export async function searchFiles(place: Place, options: SearchOptions, searching: Searching): Promise<FoundText> {
  return place.isFolder ? searchFolder(place, options, searching) : searchFile(place, options, searching);
}

/** A file is read by its descriptor, so that nothing else can be put in its place. */
async function searchFile(place: Place, options: SearchOptions, { ripgrep }: Searching): Promise<FoundText> {
  const { file, bytes, mtimeMs } = await openFile(place.root);
  try {
    if (bytes > MAX_FILE_BYTES) throw fileFailed(place.root, `it is larger than ${MAX_FILE_BYTES} bytes, which is the most that is searched`);
    const found = createNewestBlocks(options);
    const reader = createReader(options, { wants: () => true, onBlock: (block) => found.add(block, mtimeMs) });
    const result = await ripgrep.run({
      args: [...searchArguments(options), "--", "-"],
      cwd: "/",
      stdin: file.fd,
      signal: place.signal,
      onOutput: reader.push,
    });
    reader.end();
    return await answer(place, options, found, result, 0);
  } finally {
    await file.close();
  }
}

async function searchFolder(place: Place, options: SearchOptions, searching: Searching): Promise<FoundText> {
  const { ripgrep, leftOut } = searching;
  const includes = createInclude(options.include);
  const rules = includeRules(options.include);
  const ignoreFile = rules === undefined ? undefined : join(tmpdir(), `mortise-${randomBytes(12).toString("hex")}`);
  const folder = await holdFolder(place.root);
  try {
    if (ignoreFile !== undefined) await writeFile(ignoreFile, rules ?? "", { flag: "wx", mode: 0o600 });
    const wants = (path: string) => {
      const shown = withoutDot(path);
      const canonical = below(place.root, shown);
      return includes(shown) && place.reach.covers(canonical) && leftOut(canonical) === undefined;
    };
    const inFolder = Buffer.from(below(place.root, ""));
    const { done, oddRules } = await walkByRules(place, options.ignored, async (attempt) => {
      const found = createNewestBlocks(options);
      const onBlock = (block: Block, path: string | Buffer) => {
        found.add(block, timeOf(typeof path === "string" ? below(place.root, path) : Buffer.concat([inFolder, path])));
      };
      const reader = createReader(options, { wants, onBlock });
      const [result, secret] = await Promise.all([
        place.starts.length === 0
          ? nothing
          : ripgrep.run({
              args: [
                ...searchArguments(options),
                ...walkArguments({ ignored: attempt.ignored, root: place.root, ignoreFile }),
                "--",
                ...place.starts,
              ],
              cwd: folder.entry("."),
              signal: attempt.place.signal,
              onOutput(chunk) {
                attempt.heard();
                return reader.push(chunk);
              },
            }),
        countLeftOut(attempt.place, folder, { ...searching, names: searching.secretNames, ignored: attempt.ignored }),
      ]);
      reader.end();
      return { found, result, secret };
    });
    return {
      ...(await answer(place, options, done.found, done.result, done.secret)),
      ...(oddRules === null ? {} : { oddRules: givenPath(oddRules, place.cwd) }),
    };
  } finally {
    await folder.close();
    if (ignoreFile !== undefined) await rm(ignoreFile, { force: true });
  }
}

const nothing: RipgrepResult = { exitCode: 1, ended: "exit", errors: "", errorLines: 0 };

type Reader = { push(chunk: Buffer): boolean; end(): void };

function createReader(
  { output, maxBytes }: SearchOptions,
  { wants, onBlock }: { wants(path: string): boolean; onBlock(block: Block, path: string | Buffer): void },
): Reader {
  let read = 0;
  const parse = parserOf(output, maxBytes, wants, onBlock);
  return {
    push(chunk) {
      read += chunk.length;
      parse.push(chunk);
      return read <= MAX_OUTPUT_BYTES;
    },
    end: parse.end,
  };
}

function parserOf(
  output: SearchOptions["output"],
  maxBytes: number,
  wants: (path: string) => boolean,
  onBlock: (block: Block, path: string | Buffer) => void,
): { push(chunk: Buffer): void; end(): void } {
  if (output === "lines") return createMatchBlocks({ maxBytes, wants, onBlock });
  const onPath = (raw: Buffer, matches: number) => {
    const path = raw.toString();
    if (wants(path)) onBlock({ path, matches, lines: NO_LINES, cut: false, binary: false, longest: 0, returns: false }, raw);
  };
  if (output === "files") return { push: createPaths((path) => onPath(path, 0)), end: () => {} };
  return { push: createCounts(onPath), end: () => {} };
}

/** Reads paths that each end in a NUL, with a number and a line end behind it. */
function createCounts(onCount: (path: Buffer, count: number) => void): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    const data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      const nul = data.indexOf(0, at);
      const end = nul === -1 ? -1 : data.indexOf("\n", nul);
      if (end === -1) break;
      onCount(data.subarray(at, nul), Number(data.subarray(nul + 1, end).toString()));
      at = end + 1;
    }
    rest = at < data.length ? Buffer.from(data.subarray(at)) : undefined;
  };
}

async function answer(place: Place, options: SearchOptions, found: NewestBlocks, result: RipgrepResult, leftOut: number): Promise<FoundText> {
  const complaint = readErrors(result);
  if (complaint.fatal !== undefined && found.files() === 0) {
    throw new MortiseError("bad_pattern", { seen: `${cutAtWord(options.pattern, 200)}: ${complaint.fatal}` });
  }
  const blocks = found.end();
  const shown = await show(place, options, blocks);
  return {
    ...shown,
    totalFiles: found.files(),
    totalMatches: found.matches(),
    leftOut,
    unreadable: complaint.files,
    unreadableReason: complaint.first,
    binary: blocks.filter(({ binary }) => binary).length,
    ended: endOf(result.ended, place.signal),
  };
}

type Shown = Pick<FoundText, "files" | "shownFiles" | "parts" | "shownMatches" | "invalid" | "pictured">;

/** Files that are named beside their lines: a list of thousands would cost more than the text. */
const NAMED = 1_000;

async function show(place: Place, options: SearchOptions, blocks: readonly Block[]): Promise<Shown> {
  const files: SearchResult["files"] = [];
  const parts: string[] = [];
  const pathOf = pathsIn(place);
  let left = options.limit;
  let bytes = options.maxBytes;
  let [shownFiles, shownMatches] = [0, 0];
  let [invalid, isPictured] = [false, false];
  let started = performance.now();
  for (const block of blocks) {
    if (left <= 0 || bytes <= 0) break;
    const path = pathOf(block.path);
    const head = oneLine(path);
    if (options.output !== "lines") {
      files.push({ path, matches: block.matches });
      parts.push(`${shownFiles++ > 0 ? "\n" : ""}${head}${options.output === "counts" ? `: ${block.matches}` : ""}`);
      left--;
      bytes -= head.length + 10;
      shownMatches += block.matches;
    } else {
      const cut = cutBlock(block, { limit: left, maxBytes: bytes - head.length - 3, maxLineChars: options.maxLineChars });
      if (cut.text === "" && !block.binary) break;
      const text = options.pictures && !block.lines.isPlain ? pictured(cut.text, block.lines.isAscii) : cut.text;
      isPictured ||= text !== cut.text;
      parts.push(`${shownFiles++ > 0 ? "\n\n" : ""}${head}:\n`, text === "" ? "[a binary file]" : text);
      if (files.length < NAMED) files.push({ path, matches: block.matches });
      left -= cut.matches;
      bytes -= cut.text.length + head.length + 3;
      shownMatches += cut.matches;
      invalid ||= block.lines.invalid;
      if (cut.matches < block.matches) break;
    }
    if (performance.now() - started > SLICE_MS) {
      await turn();
      started = performance.now();
    }
  }
  return { files, shownFiles, parts, shownMatches, invalid, pictured: isPictured };
}

/** Paths as they are given, of those that ripgrep found in the place. */
function pathsIn({ root, isFolder, cwd }: Place): (path: string) => string {
  if (!isFolder) return () => givenPath(root, cwd);
  const probe = givenPath(below(root, "x"), cwd);
  const prefix = probe.slice(0, -1);
  return (path) => prefix + withoutDot(path);
}

/** What it says of single files begins with their paths; all else ends the search. */
function readErrors({ exitCode, errors, errorLines }: RipgrepResult): { fatal: string | undefined; files: number; first: string | null } {
  if (exitCode !== 2 || errors === "") return { fatal: undefined, files: 0, first: null };
  const [first = ""] = errors.split("\n");
  const ofFile = /^rg: (?:\.?\/|<stdin>|-:)/.test(first);
  if (ofFile) return { fatal: undefined, files: errorLines, first: first.slice("rg: ".length) };
  const reason = /^error: (.*)$/m.exec(errors)?.[1] ?? first.replace(/^rg: (?:error: )?/, "");
  return { fatal: reason, files: 0, first: null };
}

function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
