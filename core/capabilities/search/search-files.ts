import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { SearchResult } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { fileFailed } from "../fs/file-failed.ts";
import { holdFolder, openFile } from "../fs/opened.ts";
import { blockText } from "./block-text.ts";
import { countLeftOut, createPaths, type LeftOut } from "./left-out.ts";
import { type Block, createMatchBlocks, withoutDot } from "./match-blocks.ts";
import { createNewestBlocks, type NewestBlocks, timeBelow } from "./newest-blocks.ts";
import { endOf, type Place } from "./place.ts";
import type { Ripgrep, RipgrepResult } from "./ripgrep.ts";
import { createInclude, includeRules, MAX_FILE_BYTES, type SearchRequest, searchArguments, walkArguments } from "./ripgrep-arguments.ts";
import { below, givenPath, oneLine } from "./shown-path.ts";

export type SearchOptions = SearchRequest & {
  include: readonly string[];
  ignored: boolean;
  /** Matching lines that are given, or files. */
  limit: number;
  /** Bytes of text that are given. */
  maxBytes: number;
};

export type Searching = { ripgrep: Ripgrep; leftOut: LeftOut; secretNames: readonly string[] };

/** Bytes of output that are read of one search. */
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
/** Milliseconds of work between two looks at what else the process has to do. */
const SLICE_MS = 10;

/**
 * Searches a file or the files of a folder, the newest first. What was found before the signal was aborted is kept.
 * Throws `bad_pattern` for what is no regular expression, and `file_failed`.
 */
export async function searchFiles(place: Place, options: SearchOptions, searching: Searching): Promise<SearchResult> {
  return place.isFolder ? searchFolder(place, options, searching) : searchFile(place, options, searching);
}

/** A file is read by its descriptor, so that nothing else can be put in its place. */
async function searchFile(place: Place, options: SearchOptions, { ripgrep }: Searching): Promise<SearchResult> {
  const { file, bytes, mtimeMs } = await openFile(place.root);
  try {
    if (bytes > MAX_FILE_BYTES) throw fileFailed(place.root, `it is larger than ${MAX_FILE_BYTES} bytes, which is the most that is searched`);
    const path = Buffer.from(place.root);
    const found = createNewestBlocks({ ...options, timeOf: () => mtimeMs });
    const reader = createReader(options, { wants: () => true, onBlock: (block) => found.add(Object.assign(block, { path })) });
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

async function searchFolder(place: Place, options: SearchOptions, searching: Searching): Promise<SearchResult> {
  const { ripgrep, leftOut } = searching;
  const includes = createInclude(options.include);
  const rules = includeRules(options.include);
  const ignoreFile = rules === undefined ? undefined : join(tmpdir(), `mortise-${randomBytes(12).toString("hex")}`);
  const folder = await holdFolder(place.root);
  try {
    if (ignoreFile !== undefined) await writeFile(ignoreFile, rules ?? "", { flag: "wx", mode: 0o600 });
    const found = createNewestBlocks({ ...options, timeOf: timeBelow(place.root) });
    const wants = (path: Buffer) => {
      const shown = path.toString();
      const canonical = below(place.root, shown);
      return includes(shown) && place.reach.covers(canonical) && leftOut(canonical) === undefined;
    };
    const reader = createReader(options, { wants, onBlock: found.add });
    const [result, secret] = await Promise.all([
      place.starts.length === 0
        ? nothing
        : ripgrep.run({
            args: [...searchArguments(options), ...walkArguments({ ...options, root: place.root, ignoreFile }), "--", ...place.starts],
            cwd: folder.entry("."),
            signal: place.signal,
            onOutput: reader.push,
          }),
      countLeftOut(place, folder, { ...searching, names: searching.secretNames, ignored: options.ignored }),
    ]);
    reader.end();
    return await answer(place, options, found, result, secret);
  } finally {
    await folder.close();
    if (ignoreFile !== undefined) await rm(ignoreFile, { force: true });
  }
}

const nothing: RipgrepResult = { exitCode: 1, ended: "exit", errors: "", errorLines: 0 };

type Reader = { push(chunk: Buffer): boolean; end(): void };

function createReader(
  { output, maxBytes }: SearchOptions,
  { wants, onBlock }: { wants(path: Buffer): boolean; onBlock(block: Block): void },
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
  wants: (path: Buffer) => boolean,
  onBlock: (block: Block) => void,
): { push(chunk: Buffer): void; end(): void } {
  if (output === "lines") return createMatchBlocks({ maxBytes, wants, onBlock });
  const onPath = (printed: Buffer, matches: number) => {
    const path = Buffer.concat([withoutDot(printed)]);
    if (wants(path)) onBlock({ path, matches, lines: NOTHING, cut: false, binary: false });
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
    rest = at < data.length ? data.subarray(at) : undefined;
  };
}

async function answer(place: Place, options: SearchOptions, found: NewestBlocks, result: RipgrepResult, leftOut: number): Promise<SearchResult> {
  const complaint = readErrors(result);
  if (complaint.fatal !== undefined && found.files() === 0) {
    throw new MortiseError("bad_pattern", { seen: `${options.pattern.slice(0, 200)}: ${complaint.fatal}` });
  }
  const blocks = await found.end();
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

type Shown = Pick<SearchResult, "files" | "text" | "shownMatches" | "invalid">;

async function show(place: Place, options: SearchOptions, blocks: readonly Block[]): Promise<Shown> {
  const inLines = options.output === "lines";
  const files: SearchResult["files"] = [];
  // Bytes until the end: a string for each file would be made twice.
  const parts: Buffer[] = [];
  const shown = { matches: 0, bytes: 0 };
  let invalid = false;
  let started = performance.now();
  for (const block of blocks) {
    const left = options.limit - (inLines ? shown.matches : files.length);
    if (left <= 0 || shown.bytes >= options.maxBytes) break;
    const path = givenPath(place.isFolder ? below(place.root, block.path.toString()) : place.root, place.cwd);
    const head = Buffer.from(`${files.length === 0 ? "" : inLines ? "\n\n" : "\n"}${oneLine(path)}${heads[options.output](block.matches)}`);
    const cut = inLines
      ? blockText(block, { limit: left, maxBytes: options.maxBytes - shown.bytes - head.length, maxLineChars: options.maxLineChars })
      : { text: NOTHING, matches: block.matches, invalid: false };
    if (inLines && cut.text.length === 0 && !block.binary) break;
    files.push({ path, matches: block.matches });
    parts.push(head, inLines && cut.text.length === 0 ? BINARY : cut.text);
    shown.matches += cut.matches;
    shown.bytes += head.length + cut.text.length;
    invalid ||= cut.invalid;
    if (cut.matches < block.matches) break;
    if (performance.now() - started > SLICE_MS) {
      await turn();
      started = performance.now();
    }
  }
  return { files, text: Buffer.concat(parts).toString(), shownMatches: shown.matches, invalid };
}

const NOTHING = Buffer.alloc(0);
const BINARY = Buffer.from("[a binary file]");
/** What stands behind a path. */
const heads = { lines: () => ":\n", files: () => "", counts: (matches: number) => `: ${matches}` };

/** What it says of single files begins with their paths; all else ends the search. */
function readErrors({ exitCode, errors, errorLines }: RipgrepResult): { fatal: string | undefined; files: number; first: string | null } {
  if (exitCode !== 2 || errors === "") return { fatal: undefined, files: 0, first: null };
  const [first = ""] = errors.split("\n");
  const ofFile = /^rg: (?:\.?\/|<stdin>|-:)/.test(first);
  if (ofFile) return { fatal: undefined, files: errorLines, first: first.slice("rg: ".length) };
  const reason = /^error: (.*)$/m.exec(errors)?.[1] ?? first.replace(/^rg: (?:error: )?/, "");
  return { fatal: reason, files: 0, first: null };
}
