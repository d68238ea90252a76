import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { built } from "./built.ts";
import { corpus, type Source } from "./corpus.ts";
import { tagsOf, timeCtags } from "./ctags.ts";
import { causeOf, entriesOf, names } from "./entries.ts";
import type { Wanted } from "./goals.ts";
import { handChecked } from "./hand-checked.ts";
import type { Results } from "./rounds.ts";
import { ratio, summary, type Unit } from "./samples.ts";
import type { Layout } from "./table.ts";

type Host = Awaited<ReturnType<Awaited<ReturnType<typeof built>>["createHost"]>>;

const AT_ONCE = 16;
/** One of so many files is read token by token, and one of so many is compared with parsing alone. */
const TOKENS_OF = 8;
const ALONE_OF = 12;

/**
 * Outlines of real code, fetched by name: how much smaller, how fast beside ctags and beside parsing alone, and what ctags knows that they do not.
 * What differs is told on standard output, by cause.
 */
export async function indexReal(times: (count: number) => number, folder: string, progress: (text: string) => void): Promise<Results> {
  const files = await corpus(progress);
  const paths = files.map(({ path }) => path);
  const results: Results = new Map();
  const note = (name: string, unit: Unit, values: readonly number[]) => {
    const before = results.get(name)?.rounds ?? [];
    results.set(name, { unit, rounds: [...before, values] });
  };

  let outlines: string[] = [];
  const alone = files.filter((_, at) => at % ALONE_OF === 0);
  const before = files.filter((_, at) => at % ALONE_OF === 1);
  const grammars = await queriesOf(files);
  for (let round = 0; round < times(3); round++) {
    progress(`round ${round + 1}`);
    note("ctags", "us", [timeCtags(paths, folder) * 1_000]);
    const host = await newHost();
    try {
      const cold = await timed(async () => {
        outlines = await outlineAll(host, files, AT_ONCE);
      });
      note("index cold", "us", [cold]);
      note("index cached", "us", [await timed(() => outlineAll(host, files, AT_ONCE))]);
    } finally {
      await host.close();
    }
    note("parse and captures alone", "us", [parseAlone(alone, before, grammars, folder)]);
    note("index warm", "us", [await warm(before, alone)]);
  }

  note("files", "count", [files.length]);
  note("bytes", "MB", [files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6]);
  note(
    "left of a file",
    "times",
    files.map(({ text }, at) => Buffer.byteLength(outlines[at]!) / Buffer.byteLength(text)),
  );
  const { encode } = await import("gpt-tokenizer");
  const counted = files.map((file, at) => ({ ...file, outline: outlines[at]! })).filter((_, at) => at % TOKENS_OF === 0);
  note(
    "tokens left of a file",
    "times",
    counted.map(({ text, outline }) => encode(outline).length / encode(text).length),
  );
  compare(files, outlines, folder, note);
  const sample = handChecked(files, outlines);
  note("hand-checked files", "count", [sample.files]);
  note("hand-checked symbols", "count", [sample.symbols]);
  note("hand-checked recall", "times", [sample.found / sample.symbols]);
  process.stdout.write(`${sample.missed.map((each) => `hand-checked, missed: ${each}\n`).join("")}`);
  return results;
}

async function newHost(fakes = {}): Promise<Host> {
  const { createHost } = await built();
  return createHost({ cwd: "/", yolo: true, fakes });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) * 1_000;
}

async function outlineAll(host: Host, files: readonly Source[], atOnce: number): Promise<string[]> {
  const texts: string[] = [];
  let next = 0;
  const work = async () => {
    while (next < files.length) {
      const at = next++;
      const { path } = files[at]!;
      const { text, isError } = await host.call({ tool: "index", input: { path }, outputMode: "full" });
      if (isError) throw new Error(`${path}: ${text}`);
      texts[at] = text;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return texts;
}

/** One after another, in a host that has outlined other files of each language before. */
async function warm(before: readonly Source[], files: readonly Source[]): Promise<number> {
  const host = await newHost();
  try {
    await outlineAll(host, before, 1);
    return await timed(() => outlineAll(host, files, 1));
  } finally {
    await host.close();
  }
}

type Asked = { query: string; depth?: number; mask?: string; mend?: string };
type Grammars = Map<string, Asked & { grammar: string }>;

/** What the tool asks the parser for, by the ending of a file. */
async function queriesOf(files: readonly Source[]): Promise<Grammars> {
  const asked: Grammars = new Map();
  let ending = "";
  const host = await newHost({
    "syntax.query": ({ language, query, depth, mask, mend }: Asked & { language: string }) => {
      asked.set(ending, { grammar: language, query, ...(depth && { depth }), ...(mask && { mask }), ...(mend && { mend }) });
      return { captures: '{"names":[],"types":[],"places":[],"texts":[]}', truncated: false, hasError: false, unchanged: false };
    },
  });
  for (const [of, { path }] of new Map(files.map((file) => [endingOf(file.path), file]))) {
    ending = of;
    await host.call({ tool: "index", input: { path } });
  }
  await host.close();
  return asked;
}

/** In the mode of the process for queries: these grammars may tier up. Files that are parsed twice there are parsed twice here. In microseconds. */
function parseAlone(files: readonly Source[], before: readonly Source[], grammars: Grammars, folder: string): number {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const request = join(folder, "alone.json");
  const named = (list: readonly Source[]) => list.map(({ path }) => ({ ending: endingOf(path), path }));
  writeFileSync(
    request,
    JSON.stringify({
      folder: join(root, "dist/grammars"),
      asked: Object.fromEntries(grammars),
      files: named(files),
      before: named(before),
    }),
  );
  const script = fileURLToPath(new URL("index-alone.mjs", import.meta.url));
  return Number(execFileSync(process.execPath, [script, request], { encoding: "utf8" })) * 1_000;
}

function endingOf(path: string): string {
  return path.replace(/^.*\./, "");
}

/** How much of what ctags knows the outlines name, and by cause what they do not. */
function compare(
  files: readonly Source[],
  outlines: readonly string[],
  folder: string,
  note: (name: string, unit: Unit, values: number[]) => void,
): void {
  const tags = tagsOf(
    files.map(({ path }) => path),
    folder,
  );
  const causes = new Map<string, { count: number; example: string }>();
  const byLanguage = new Map<string, { all: number; named: number }>();
  for (const [at, { path, text, language }] of files.entries()) {
    const outline = outlines[at]!;
    const entries = entriesOf(outline);
    const lines = text.split("\n");
    const counts = byLanguage.get(language) ?? { all: 0, named: 0 };
    byLanguage.set(language, counts);
    for (const tag of tags.get(path) ?? []) {
      counts.all++;
      if (names(entries, tag.name, tag.line)) {
        counts.named++;
        continue;
      }
      const cause = `${language}, ${tag.kind}: ${causeOf(tag, lines, tag.line, outline)}`;
      const { count = 0, example = `${tag.name} ${path}:${tag.line}` } = causes.get(cause) ?? {};
      causes.set(cause, { count: count + 1, example });
    }
  }
  for (const [language, { all, named }] of byLanguage) note(`of ctags, ${language}`, "times", [named / all]);
  const sorted = [...causes].sort(([, a], [, b]) => b.count - a.count);
  process.stdout.write(`${sorted.map(([cause, { count, example }]) => `ctags alone, ${count}: ${cause} (${example})\n`).join("")}`);
}

const languages = ["TypeScript", "JavaScript", "C", "C++", "Python", "Rust", "Go", "Java"];

export const indexLayout: Layout = [
  {
    title: "Outlines of real code: the whole tree",
    ratioTo: "to ctags",
    lines: [
      { name: "one run of ctags", of: "ctags" },
      { name: "index, nothing known before, 16 calls at once", of: "index cold", against: "ctags" },
      { name: "the same again", of: "index cached", against: "ctags" },
    ],
  },
  {
    title: "Outlines of real code: one file after another",
    ratioTo: "to parsing alone",
    lines: [
      { name: "parse and captures alone, in the same mode, with the second parses of files that have errors", of: "parse and captures alone" },
      { name: "index, whole calls", of: "index warm", against: "parse and captures alone" },
    ],
  },
  {
    title: "Outlines of real code: what is left, and what is named of what ctags names",
    lines: [
      { name: "files", of: "files" },
      { name: "their size", of: "bytes" },
      { name: "bytes of the outline to bytes of the file", of: "left of a file" },
      { name: "tokens of the outline to tokens of the file", of: "tokens left of a file" },
      ...languages.map((language) => ({ name: `named of what ctags names, ${language}`, of: `of ctags, ${language}` })),
      { name: "named of what was checked by hand", of: "hand-checked recall" },
    ],
  },
];

export const indexGoals: readonly Wanted[] = [
  { name: "bytes left of a file, the median one", bound: { most: 0.25 }, unit: "times", measure: (get) => summary(get("left of a file")) },
  { name: "index cold against one run of ctags", bound: { most: 6 }, unit: "times", measure: (get) => ratio(get("index cold"), get("ctags")) },
  {
    name: "index from the cache against one run of ctags",
    bound: { most: 1 },
    unit: "times",
    measure: (get) => ratio(get("index cached"), get("ctags")),
  },
  {
    name: "index warm against parse and captures alone",
    bound: { most: 1.5 },
    unit: "times",
    measure: (get) => ratio(get("index warm"), get("parse and captures alone")),
  },
  { name: "named of what was checked by hand", bound: { least: 0.98 }, unit: "times", measure: (get) => summary(get("hand-checked recall")) },
];
